"""Searches for the basis of the projection robust distance."""
