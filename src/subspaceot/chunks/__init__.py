"""Data larger than memory: passes of map and reduce over chunks, and what their sums prove."""
