"""What a statement about populations needs: a level, enough points to split, enough splits."""

from .scalars import as_integer, as_real

FEWEST_SPLITS = 5  # a standard error over fewer has a Student quantile above 2.6 at 95 %
FEWEST_POINTS = 8  # a side: halves of four points


def as_level(value: object, name: str = "level") -> float:
    """Return a confidence level, a real number strictly between 0 and 1."""
    level = as_real(value, name)
    if not 0.0 < level < 1.0:
        raise ValueError(f"`{name}` must lie strictly between 0 and 1; got {level:g}. Pass 0.95 for 95 %.")
    return level


def as_splits(value: object, name: str = "n_splits") -> int:
    """Return a number of random splits, large enough to take a standard error over them."""
    splits = as_integer(value, name)
    if splits < FEWEST_SPLITS:
        raise ValueError(f"`{name}` must be at least {FEWEST_SPLITS}; got {splits}. Pass 20, the default.")
    return splits


def require_halves(n: int, name: str, weights_name: str) -> None:
    """Raise ValueError unless a sample has enough points with mass to be split into halves."""
    if n < FEWEST_POINTS:
        raise ValueError(
            f"`{name}` must hold at least {FEWEST_POINTS} points of positive weight in `{weights_name}`, as one half "
            f"learns the subspace and the other measures the distance in it; got {n}. Pass more points."
        )
