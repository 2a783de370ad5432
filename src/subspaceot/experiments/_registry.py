"""The experiments by name."""

from . import dimension, estimation, gaussians_dimension, noise_level, plans, text, timing, toy

_EXPERIMENTS = (
    toy.EXPERIMENT,
    dimension.experiment("hypercube"),
    estimation.experiment("hypercube"),
    plans.experiment("hypercube"),
    dimension.experiment("disk"),
    estimation.experiment("disk"),
    plans.experiment("disk"),
    gaussians_dimension.EXPERIMENT,
    noise_level.EXPERIMENT,
    timing.EXPERIMENT,
    text.EXPERIMENT,
)

EXPERIMENTS = {each.name: each for each in _EXPERIMENTS}
