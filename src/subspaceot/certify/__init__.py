"""From what a run found to what is proven, however small the answer is against the spread of the data."""
