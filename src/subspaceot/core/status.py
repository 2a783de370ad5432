"""Why a run stopped, and what it knew at each step."""

import enum
from dataclasses import dataclass


class Status(enum.Enum):
    """Why a run stopped. The value is what to make of it."""

    CONVERGED = "The certified relative gap is at or below `tol`."
    CONVERGED_REGULARISED = (
        "The regularised problem is solved to `tol`. The interval for the exact value is as wide as `reg` makes it; "
        "lower `reg`, or leave it out, to narrow it."
    )
    STATIONARY = (
        "A subspace that no small turn improves. The interval says how far from the best one it can be at most; "
        "`n_starts` looks for others."
    )
    MAX_ITER = "`max_iter` was reached first. The interval is valid; raise `max_iter`, or loosen `tol`, to converge."
    STALLED = "No step improves the interval any more. It is valid; loosen `tol` to its gap."
    PRECISION = (
        "Double precision was spent before `tol` was reached: the answer is too small against the spread of some "
        "column. The interval is valid; rescale that column or drop it, or loosen `tol`."
    )
    STOPPED = "The callback asked to stop. The interval is valid."

    @property
    def converged(self) -> bool:
        """Whether the run reached what it was asked for."""
        return self in (Status.CONVERGED, Status.CONVERGED_REGULARISED, Status.STATIONARY)


@dataclass(frozen=True, slots=True)
class Iterate:
    """What was known after one outer iteration, in the caller's units.

    Bounds are taken where they promise to be much better than the last; until then the ends are 0 and what it costs to
    carry each point evenly to all of the other measure. The rounding of eigenvalues, and of many dimensions reduced to
    few, is estimated on the way; the bounds of a result are proven afterwards and may differ in their last digits.
    """

    iteration: int  #: 1, 2, ...
    lower: float  #: best lower bound so far
    upper: float  #: best upper bound so far
    reg: float  #: entropic regularisation of this iteration, 0 for exact transport
    elapsed: float  #: seconds since the start
