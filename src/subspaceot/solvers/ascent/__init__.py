"""Entropic ascent in Omega."""
