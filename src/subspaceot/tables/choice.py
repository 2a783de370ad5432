"""Which k to use when nobody says: the elbow of the curve, else the smallest k that explains most of W^2."""

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
NEARLY_ALL = 0.99  # of W^2: beyond it the curve is flat for want of anything left, which is no elbow


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """A dimension with the reason for it."""

    k: int
    rule: str  # "elbow" or "share"
    reason: str
    path: Path  # the curve that was looked at


def choose_k(X: Any, Y: Any, a: Any = None, b: Any = None, *, tol: float = 1e-2, whole: Result | None = None) -> Choice:
    """Return the k after which the curve only creeps; where there is none, the smallest that explains 90 % of W^2.

    Parameters
    ----------
    X, Y, a, b
        As for `srw`.
    tol : float
        Certified relative gap of the curve. It may be wider than for an answer: only the shape is read.
    whole : Result, optional
        The ordinary distance of the same clouds, if it is known already.

    Examples
    --------
    >>> import subspaceot as sot
    >>> data = sot.instances.fragmented_hypercube(100, 6, 2, rng=0)
    >>> choice = choose_k(data.X, data.Y)
    >>> choice.k, choice.rule
    (2, 'elbow')
    """
    X, Y = validate.as_named_pair(X, Y)
    d = X.shape[1]
    whole = wasserstein(X, Y, a, b) if whole is None else whole
    path = srw_path(X, Y, range(1, min(d, LOOKED_AT) + 1), a, b, tol=tol)
    elbow = elbow_of(path, whole)
    if elbow.k is not None:
        return Choice(elbow.k, "elbow", elbow.reason, path)
    if are_same(whole):
        return Choice(1, "share", "Both clouds are the same, so that every k gives 0.", path)
    k = _smallest_enough(path, whole, X, Y, a, b, tol)
    reason = f"No elbow up to k={path.ks[-1]}; this is the smallest k that explains 90 % of W^2."
    return Choice(k, "share", reason, path)


def elbow_of(path: Path, whole: Result) -> Elbow:
    """Return the elbow of a path from k = 1 on, read up to the first k that explains nearly all of W^2.

    Beyond it the curve is flat for want of anything left to explain, as with constant columns, which is no elbow.
    """
    last = next((k for k in path.ks if explains(path.results[k], whole, NEARLY_ALL)), path.ks[-1])
    if are_same(whole):
        return Elbow(None, 0.0, "Both clouds are the same: the curve has no rise.")
    if last == 1 and explains(path.results[1], whole, NEARLY_ALL):
        share = path.results[1].lower / whole.upper
        return Elbow(1, share, f"One direction explains {share:.1%} of W^2.")
    if len(path.ks) == 1:
        return Elbow(None, 0.0, "One k alone has no elbow.")
    ks = tuple(k for k in path.ks if k <= last)
    return Path(ks=ks, results=MappingProxyType({k: path.results[k] for k in ks})).elbow()


def explains(result: Result, whole: Result, share: float) -> bool:
    """Return whether S_k^2 certainly is at least this share of W^2, or lacks no more than 1e-12 of it."""
    return result.lower >= share * whole.upper * (1.0 - 1e-12)


def _smallest_enough(path: Path, whole: Result, X: Any, Y: Any, a: Any, b: Any, tol: float) -> int:
    """Return the smallest k that certainly explains enough: on the path, else by bisection, as shares only rise."""
    for k in path.ks:
        if explains(path.results[k], whole, ENOUGH):
            return k
    too_small, enough = path.ks[-1], int(X.shape[1])
    while enough - too_small > 1:
        k = (too_small + enough) // 2
        if explains(srw(X, Y, k, a, b, tol=tol), whole, ENOUGH):
            enough = k
        else:
            too_small = k
    return enough
