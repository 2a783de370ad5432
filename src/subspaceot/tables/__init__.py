"""Comparisons of tables: the choice of k, a summary, scaled columns, a map."""
