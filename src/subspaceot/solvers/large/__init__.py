"""Many points: transport between cells of points near each other, and bounds for the points themselves."""
