"""From tables as they come to samples: columns of numbers matched by name, rows without gaps, one scale, a report."""
