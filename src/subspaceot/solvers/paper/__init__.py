"""The two algorithms of the paper."""
