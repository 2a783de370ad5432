"""The k to use where the caller gives none: the elbow of the curve, else the smallest k that explains most of W^2."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ..core import validate
from ..distances import srw, wasserstein
from ..path.curve import Path, srw_path
from ..path.elbow import Elbow
from ..result import Result
from .summary import are_same

LOOKED_AT = 10  # how many k, from 1 up, are searched for an elbow: more directions than that are no summary
ENOUGH = 0.9  # of W^2: what the subspace must explain where no elbow says otherwise
NEARLY_ALL = 0.99  # of W^2: beyond it the curve is flat because nothing is left, which is no elbow


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """A dimension with the reason for it, and what was solved to find it."""

    rule: str  # "elbow" or "share"
    reason: str
    path: Path  # the curve that was looked at
    result: Result  # S_k for this k, to the tolerance of the search
    W: Result  # the Wasserstein distance

    @property
    def k(self) -> int:
        """The dimension."""
        return self.result.k


def choose_k(X: Any, Y: Any, a: Any = None, b: Any = None, *, tol: float = 1e-2) -> Choice:
    """Return the k at the elbow of the curve; where there is none, the smallest that explains 90 % of W^2.

    Parameters
    ----------
    X, Y, a, b
        As for `srw`.
    tol : float
        Certified relative gap of the curve. It may be wider than for an answer: only the shape is read.

    Examples
    --------
    >>> import subspaceot as sot
    >>> data = sot.instances.fragmented_hypercube(100, 6, 2, rng=0)
    >>> choice = choose_k(data.X, data.Y)
    >>> choice.k, choice.rule
    (2, 'elbow')
    """
    X, Y = validate.as_named_pair(X, Y)
    path = srw_path(X, Y, range(1, min(X.shape[1], LOOKED_AT) + 1), a, b, tol=tol)
    W = wasserstein_on(path, X, Y, a, b)
    elbow = elbow_of(path, W)
    if elbow.k is not None:
        return Choice("elbow", elbow.reason, path, path.results[elbow.k], W)
    if are_same(W):
        return Choice("share", "Both samples are the same, so that every k gives 0.", path, path.results[1], W)
    reason = f"No elbow up to k={path.ks[-1]}; this is the smallest k that explains 90 % of W^2."
    return Choice("share", reason, path, _smallest_enough(path, W, X, Y, a, b, tol), W)


def wasserstein_on(path: Path, X: Any, Y: Any, a: Any = None, b: Any = None, *, tol: float = 1e-3) -> Result:
    """Return the Wasserstein distance: the path's result for k = d if it is within `tol`, else one more solve."""
    last = path.results[path.ks[-1]]
    return last if last.k == last.problem.frame.d and last.gap <= tol else wasserstein(X, Y, a, b)


def elbow_of(path: Path, W: Result | None) -> Elbow:
    """Return the elbow of a path from k = 1 on, read up to the first k that explains nearly all of W^2.

    Beyond it the curve is flat because nothing is left to explain, as with constant columns, which is no elbow. Where
    W is not known all of the path is read.
    """
    if path.ks != tuple(range(1, len(path.ks) + 1)):
        return Elbow(None, 0.0, "The curve has gaps, as it was stopped.")
    if W is None:
        return path.elbow() if len(path.ks) > 1 else Elbow(None, 0.0, "One k alone has no elbow.")
    last = next((k for k in path.ks if explains(path.results[k], W, NEARLY_ALL)), path.ks[-1])
    if are_same(W):
        return Elbow(None, 0.0, "Both samples are the same: the curve has no rise.")
    if last == 1 and explains(path.results[1], W, NEARLY_ALL):
        share = path.results[1].lower / W.upper
        return Elbow(1, share, f"One direction explains {share:.1%} of W^2.")
    if len(path.ks) == 1:
        return Elbow(None, 0.0, "One k alone has no elbow.")
    ks = tuple(k for k in path.ks if k <= last)
    return Path(ks=ks, results=MappingProxyType({k: path.results[k] for k in ks})).elbow()


def explains(result: Result, W: Result, share: float) -> bool:
    """Return whether S_k^2 is proven to be at least this share of W^2, or to lack no more than 1e-12 of it."""
    return result.lower >= share * W.upper * (1.0 - 1e-12)


def _smallest_enough(path: Path, W: Result, X: Any, Y: Any, a: Any, b: Any, tol: float) -> Result:
    """Return the result for the smallest k proven to explain enough: on the path, else by bisection up to k = d."""
    for k in path.ks:
        if explains(path.results[k], W, ENOUGH):
            return path.results[k]
    too_small, enough = path.ks[-1], W
    while enough.k - too_small > 1:
        k = (too_small + enough.k) // 2
        result = srw(X, Y, k, a, b, tol=tol)
        if explains(result, W, ENOUGH):
            enough = result
        else:
            too_small = k
    return enough
