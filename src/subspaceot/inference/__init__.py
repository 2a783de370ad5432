"""Inference: whether a difference is real, how large it is in the population, and in how many directions."""
