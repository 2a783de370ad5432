"""Time to a certified gap, as a ratio to one exact transport on the same data: `python -m benchmarks`."""
