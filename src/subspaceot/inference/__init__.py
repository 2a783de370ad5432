"""What two samples say about the populations they come from: confidence intervals, not solver bounds."""
