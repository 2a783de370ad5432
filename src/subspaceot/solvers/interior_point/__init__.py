"""A primal-dual interior-point method on few pairs and directions."""
