"""The plane, where everything can be seen: the transport along each direction, and what its plan does elsewhere."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from .core import validate
from .core.problem import Problem
from .runtime.isolation import isolated
from .runtime.types import Array, PointsLike, Weights
from .solvers.projection.angles import wave_at


@dataclass(frozen=True, eq=False, slots=True)
class AngleCurves:
    """For each angle, the transport between the projections onto that line, and V of its plan in the plane.

    The highest point of `cost` is P_1^2. No point of `largest` lies below S_1^2, which is at least P_1^2.
    """

    theta: Array  #: (q,) in degrees
    cost: Array  #: (q,) W_2^2 of the projections
    largest: Array  #: (q,) larger eigenvalue of V of the plan that is optimal for this angle
    smallest: Array  #: (q,) smaller eigenvalue


@isolated
def angle_curves(
    X: PointsLike, Y: PointsLike, a: Weights = None, b: Weights = None, *, theta: ArrayLike | None = None
) -> AngleCurves:
    """Return the curves over the angle of the line that points in the plane are projected onto.

    Parameters
    ----------
    X, Y : array_like (n, 2), (m, 2)
    a, b : array_like (n,), (m,), optional
        Weights, non-negative, normalised to sum 1; uniform by default.
    theta : array_like, optional
        Angles in degrees; 0, 0.5, ..., 180 by default.

    Examples
    --------
    >>> curves = angle_curves([[0.0, 0.0]], [[3.0, 4.0]], theta=[0, 90])
    >>> curves.cost.round(9), curves.largest.round(9)
    (array([ 9., 16.]), array([25., 25.]))
    """
    X, Y = validate.as_planar_pair(X, Y)
    theta = np.linspace(0.0, 180.0, 361) if theta is None else validate.as_numbers(theta, "theta")
    problem = Problem.of(X, Y, 1, a, b, dense=False)
    frame = problem.frame
    plane = replace(problem, X=frame.lift(problem.X.T).T, Y=frame.lift(problem.Y.T).T)  # points on a line included
    waves = [wave_at(plane, angle) for angle in np.deg2rad(theta)]
    cost = frame.unit * np.array([float(wave.at(np.array(wave.angle))) for wave in waves])
    mean = frame.unit * np.array([wave.mean for wave in waves])
    swing = frame.unit * np.array([np.hypot(wave.cosine, wave.sine) for wave in waves])
    return AngleCurves(theta=theta, cost=cost, largest=mean + swing, smallest=np.maximum(mean - swing, 0.0))
