"""Numerics that know nothing of transport."""
