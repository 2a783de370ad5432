"""What a statement about populations needs: a level, enough points to split, enough splits."""

import math
from collections.abc import Sequence

from ..columns import listed
from .scalars import as_integer, as_real

LEAST_PERMUTATIONS = 19
USUAL_PERMUTATIONS = 999
FEWEST_SPLITS = 5  # a standard error over fewer has a Student quantile above 2.6 at 95 %
USUAL_SPLITS = 20
FEWEST_POINTS = 8  # a side: halves of four points


def as_level(value: object, name: str = "level", *, usual: float = 0.95) -> float:
    """Return the level of a test, an interval or a band, a real number strictly between 0 and 1."""
    level = as_real(value, name, usual=f"{usual:g}")
    if not 0.0 < level < 1.0:
        raise ValueError(f"`{name}` must be between 0 and 1, both excluded; got {level:g}. Pass {usual:g}.")
    return level


def as_permutations(value: object, name: str = "n_permutations") -> int:
    """Return a number of permutations that can reach p = 0.05."""
    count = as_integer(value, name, usual=USUAL_PERMUTATIONS)
    if count < LEAST_PERMUTATIONS:
        raise ValueError(
            f"`{name}` must be at least {LEAST_PERMUTATIONS}, with which p can be 0.05; got {count}. Pass "
            f"{USUAL_PERMUTATIONS}."
        )
    return count


def require_attainable(alpha: float, n_permutations: int) -> None:
    """Raise ValueError if no p-value of so many permutations, 1 / (1 + n_permutations) at least, can reach `alpha`."""
    if (1 + n_permutations) * alpha < 1.0 - 1e-12:  # but for rounding, as 20 * 0.05 has
        raise ValueError(
            f"`n_permutations` must be at least 1 / `alpha` - 1 for a p-value to reach alpha={alpha:g}; got "
            f"{n_permutations}. Pass {math.ceil(1.0 / alpha - 1e-9) - 1} or more."
        )


def as_splits(value: object, name: str = "n_splits") -> int:
    """Return a number of random splits, large enough to take a standard error over them."""
    splits = as_integer(value, name, usual=USUAL_SPLITS)
    if splits < FEWEST_SPLITS:
        raise ValueError(f"`{name}` must be at least {FEWEST_SPLITS}; got {splits}. Pass {USUAL_SPLITS}, the default.")
    return splits


def require_same_features(k: int, names: Sequence[str], wanted_k: int, wanted: Sequence[str]) -> None:
    """Raise ValueError unless confidence intervals are those of a result: for its k, and for its columns if for any."""
    if k != wanted_k:
        raise ValueError(
            f"`intervals` must be for the k={wanted_k} directions of the result; got some for k={k}. Pass "
            f"`sot.intervals(X, Y, k={wanted_k})`."
        )
    if names and list(names) != list(wanted):
        raise ValueError(
            f"`intervals` must be for the columns of the result, {listed(wanted)}; got some for {listed(names)}. Pass "
            f"`sot.intervals(X, Y, k={wanted_k})` of the same tables."
        )


def require_same_samples(sizes: tuple[int, int], d: int, wanted: tuple[int, int], wanted_d: int) -> None:
    """Raise ValueError unless a test may have seen rows of a result: no more of them, with as many columns."""
    if d != wanted_d or sizes[0] > wanted[0] or sizes[1] > wanted[1]:
        raise ValueError(
            f"`test` must be of the samples of the result, {wanted[0]} and {wanted[1]} points in {wanted_d} "
            f"dimensions; got one of {sizes[0]} and {sizes[1]} points in {d}. Pass `sot.two_sample_test(X, Y)`."
        )


def require_halves(n: int, name: str, weights_name: str) -> None:
    """Raise ValueError unless a sample has enough points with mass to be split into halves."""
    if n < FEWEST_POINTS:
        raise ValueError(
            f"`{name}` must hold at least {FEWEST_POINTS} points of positive weight in `{weights_name}`, as one half "
            f"learns the subspace and the other measures the distance in it; got {n}. Pass more points."
        )


def require_halves_of_units(n: int, m: int) -> None:
    """Raise ValueError unless there are enough units with mass on both sides to be split into halves."""
    for count, name in ((n, "X"), (m, "Y")):
        if count < FEWEST_POINTS:
            raise ValueError(
                f"`units` must name at least {FEWEST_POINTS} units in `{name}` for an interval, as one half of them "
                f"learns the subspace and the other measures the distance in it; got {count}. `two_sample_test` "
                f"takes 2."
            )
