"""Raw input to trusted values: every input error is raised here, and nothing below checks again.

Each message names the argument as the caller wrote it, the rule, what came, and the fix.
A wrong kind of thing is a TypeError, a wrong value a ValueError. No function modifies its input.
"""

import math
import numbers
import os
import reprlib
import sys
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from ..runtime.types import Array
from . import columns, exact_numbers
from .columns import Points

# Squared distances of values up to here stay below 1e308 in every dimension that fits in memory.
LARGEST_VALUE = 1e150

# Points that all lie closer together have squared distances that underflow, as weights below that of the largest do.
SMALLEST_RANGE = 1e-140
SMALLEST_SHARE = 1e-150

# How far a caller's soft projector may be from the set, in each of symmetry, trace and eigenvalues.
PROJECTOR_TOLERANCE = 1e-6


# --- points and weights -----------------------------------------------------------------------------------


def as_points(value: object, name: str, names: Sequence[str] | None = None) -> Array:
    """Return the points as a C-ordered float64 array (n, d), n >= 1, d >= 1, all finite.

    Lists, integer and float arrays of any order, and tables of numeric columns are accepted; booleans count as 0 and 1.
    No number is rounded: integers, decimals and long doubles that float64 cannot hold exactly are refused. The caller's
    own array is returned where it already has this form. The columns of a table are put into the order of `names`.
    """
    points = _as_points(value, name)
    if names is not None:
        points = columns.reordered(Points(points.values, points.names), names, name, "the data")
    return points.values


def as_pair(X: object, Y: object) -> tuple[Array, Array]:
    """Return the two sets of points, each valid, with the same d columns in the same order."""
    points_X, points_Y = as_named_pair(X, Y)
    return points_X.values, points_Y.values


def as_named_pair(X: object, Y: object) -> tuple[Points, Points]:
    """Return the two sets of points as `as_pair` does, with the labels of their columns.

    The columns of two tables are matched by label, those of an array by position. Both have the labels of X, or of Y
    where X is an array. Points that come from here may be passed again, and are not checked twice.
    """
    points_X, points_Y = _as_points(X, "X"), _as_points(Y, "Y")
    if points_X.labels is not None:
        points_Y = columns.reordered(points_Y, points_X.labels, "Y", "`X`")
    if points_X.shape[1] != points_Y.shape[1]:
        raise ValueError(
            f"`X` and `Y` must have the same number of columns; got `X` with {points_X.shape[1]} and `Y` "
            f"with {points_Y.shape[1]}. Pass the same features, in the same order, in both."
        )
    labels = points_Y.labels if points_X.labels is None else points_X.labels
    return Points(points_X.values, labels), Points(points_Y.values, labels)


def as_measures(values: Any) -> list[tuple[Array, Array | None]]:
    """Return points (n_i, d) and weights (n_i,) or None of each of at least two measures in one dimension d.

    The columns of tables are matched by label to those of the first table. The weights are valid, but left as they
    came: whoever solves normalises them.
    """
    _refuse_single_table(values)
    measures: list[tuple[Array, Array | None]] = []
    first: tuple[str, columns.Labels] | None = None  # table: its name and labels
    for i, value in enumerate(values):
        points, weights = _as_measure(value, f"measures[{i}]")
        if points.labels is not None:
            first = first or (f"`measures[{i}]`", points.labels)
            points = columns.reordered(points, first[1], f"measures[{i}]", first[0])
        if measures and points.shape[1] != measures[0][0].shape[1]:
            raise ValueError(
                f"`measures` must all have the same number of columns; got {measures[0][0].shape[1]} in `measures[0]` "
                f"and {points.shape[1]} in `measures[{i}]`. Pass the same features, in the same order, in all."
            )
        measures.append((points.values, weights))
    if len(measures) < 2:
        raise ValueError(f"`measures` must hold at least two measures; got {len(measures) or 'none'}.")
    return measures


def as_weights(value: object, n: int, name: str, points_name: str) -> Array:
    """Return the weights as a new array (n,), non-negative, the largest between 0.5 and 1; ones where `value` is None.

    They are scaled by a power of two, so they are the caller's numbers; whoever solves divides by their sum.
    """
    if value is None:
        return np.ones(n)
    weights = _as_float64(value, name, f"a list of {n} numbers, one per row of `{points_name}`, or None")
    if weights.shape != (n,):
        raise ValueError(
            f"`{name}` must hold one weight for each of the {n} points of `{points_name}`, shape ({n},); got "
            f"shape {weights.shape}. {_weights_shape_fix(weights, n, name)}"
        )
    if not np.isfinite(weights).all():
        i = int(np.argmin(np.isfinite(weights)))
        raise ValueError(
            f"`{name}` must be finite; got {_nonfinite(weights[i])} at position {i} (counted from 0). Use 0 "
            f"for a point that should not count."
        )
    if (weights < 0).any():
        i = int(np.argmax(weights < 0))
        raise ValueError(
            f"`{name}` must not be negative; got {weights[i]:g} at position {i} (counted from 0). Use 0 for "
            f"a point that should not count."
        )
    largest = float(weights.max())
    if largest == 0:
        raise ValueError(
            f"`{name}` must have a positive sum; got {n} zero{'s' if n > 1 else ''}. Give at least one point "
            f"a positive weight, or pass None for uniform weights."
        )
    smallest = float(weights[weights > 0.0].min())
    if smallest < SMALLEST_SHARE * largest:
        i = int(np.argmax(weights == smallest))
        raise ValueError(
            f"`{name}` must not hold positive weights below {SMALLEST_SHARE:g} of the largest, whose products "
            f"underflow; got {smallest:g} at position {i} (counted from 0) beside {largest:g}. Use 0 for a point that "
            f"should not count."
        )
    return np.ldexp(weights, -int(np.frexp(largest)[1]))


def require_visible(size: float, X: Array, Y: Array) -> None:
    """Raise ValueError if points, centred, differ by so little that their squared distances underflow."""
    if size < SMALLEST_RANGE and (X.any() or Y.any()):
        raise ValueError(
            f"`X` and `Y` must differ by more than {SMALLEST_RANGE:g} somewhere, or squared distances underflow; got "
            f"points within {size:.3g} of each other. Rescale all points by one factor first."
        )


def require_representable(p: float, scale: float, X: Array, Y: Array) -> None:
    """Raise ValueError if p-th powers of distances overflow or underflow, in the caller's units or in ours.

    `X` and `Y` are centred points in units of `scale`.
    """
    reach = 4.0 * max(float(np.abs(Z).max()) * math.sqrt(Z.shape[1]) for Z in (X, Y))
    if reach == 0.0:
        return
    largest, unit = p * math.log10(reach * max(scale, 1.0)), p * math.log10(scale)
    if largest > 300.0 or abs(unit) > 300.0:
        raise ValueError(
            f"`p` must leave the p-th powers of distances between 1e-300 and 1e300; got p={p:g} for distances up to "
            f"about {0.5 * reach * scale:.3g}. Rescale all points by one factor, or choose a smaller `p`."
        )


def require_memory(n: int, m: int, d: int, *, kept: int = 0) -> None:
    """Raise MemoryError if a solve with n and m points in dimension d needs more than the machine has.

    `kept` (n, m) arrays stay in memory besides: the plans of other solves.
    """
    available = _physical_memory()
    needed = _bytes_of_a_solve(n, m, d) + 8 * kept * n * m
    if available is not None and needed > available:
        raise MemoryError(
            f"A solve with n={n} and m={m} points in dimension d={d} needs about {needed / 1e9:.3g} GB; this "
            f"machine has {available / 1e9:.3g} GB. Use fewer points: a random subsample of the rows "
            f"of `X` and `Y`."
        )


def require_memory_at_once(sizes: list[tuple[int, int]], d: int) -> None:
    """Raise MemoryError if solves with these numbers of points, side by side, need more than the machine has."""
    available = _physical_memory()
    needed = sum(_bytes_of_a_solve(n, m, d) for n, m in sizes)
    if available is not None and needed > available:
        n, m = sizes[0]
        solves, fix = "A solve", ""
        if len(sizes) > 1:
            solves, fix = f"Running {len(sizes)} solves at once", "a smaller `n_jobs`, or "
        raise MemoryError(
            f"{solves} with up to n={n} and m={m} points in dimension d={d} needs about {needed / 1e9:.3g} GB; this "
            f"machine has {available / 1e9:.3g} GB. Use {fix}fewer points: a random subsample of each measure's rows."
        )


# --- numbers, names, random state -------------------------------------------------------------------------


def as_dimension(value: object, d: int, name: str = "k") -> int:
    """Return the dimension of a subspace, an integer between 1 and d."""
    k = _as_integer(value, name)
    if not 1 <= k <= d:
        raise ValueError(f"`{name}` must be between 1 and the dimension d={d}; got {k}.")
    return k


def as_dimensions(values: Any, d: int, name: str) -> list[int]:
    """Return distinct dimensions of subspaces in ascending order; 1..d for None."""
    if values is None:
        return list(range(1, d + 1))
    if isinstance(values, str | bytes) or not hasattr(values, "__iter__"):
        raise TypeError(f"`{name}` must be a sequence of integers in 1..{d}; got {values!r}.")
    ks = [as_dimension(value, d, name) for value in values]
    if not ks:
        raise ValueError(f"`{name}` must hold at least one dimension; got none. Leave it out for 1..{d}.")
    if len(set(ks)) < len(ks):
        twice = next(k for k in ks if ks.count(k) > 1)
        raise ValueError(f"`{name}` must name each dimension once; {twice} comes more than once.")
    return sorted(ks)


def as_count(value: object, name: str) -> int:
    """Return an integer of at least 1."""
    count = _as_integer(value, name)
    if count < 1:
        raise ValueError(f"`{name}` must be at least 1; got {count}. Pass a positive integer.")
    return count


def as_jobs(value: object, name: str = "n_jobs") -> int | None:
    """Return a number of workers, negative where it counts from the number of cores, or None for no wish."""
    if value is None:
        return None
    jobs = _as_integer(value, name)
    if jobs == 0:
        raise ValueError(f"`{name}` must not be 0. Pass the number of workers, -1 for one per core, or None.")
    return jobs


def as_flag(value: object, name: str) -> bool:
    """Return True or False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"`{name}` must be True or False; got {_got(value)}.")
    return bool(value)


def as_positive(value: object, name: str) -> float:
    """Return a finite number above 0, such as `tol` or `reg`."""
    number = _as_real(value, name)
    if not 0 < number < math.inf:
        raise ValueError(f"`{name}` must be positive and finite; got {number:g}. Pass a number such as 1e-3.")
    return number


def as_power(value: object, name: str) -> float:
    """Return a finite number of at least 1, the power of a distance."""
    number = _as_real(value, name)
    if not 1 <= number < math.inf:
        raise ValueError(f"`{name}` must be finite and at least 1; got {number:g}. Pass 2 for squared distances.")
    return number


def as_nonnegative(value: object, name: str) -> float:
    """Return a finite number of at least 0, such as a noise level."""
    number = _as_real(value, name)
    if not 0 <= number < math.inf:
        raise ValueError(f"`{name}` must be finite and not negative; got {number:g}. Pass 0 or more.")
    return number


def as_numbers(value: object, name: str) -> Array:
    """Return a list of finite numbers as a new array (q,)."""
    numbers_ = np.array(_as_float64(value, name, "a list of numbers"))
    if numbers_.ndim != 1:
        raise ValueError(f"`{name}` must be one list of numbers; got an array of shape {numbers_.shape}.")
    if not np.isfinite(numbers_).all():
        i = int(np.argmin(np.isfinite(numbers_)))
        raise ValueError(f"`{name}` must be finite; got {_nonfinite(numbers_[i])} at position {i} (counted from 0).")
    return numbers_


def as_choice(value: object, name: str, choices: Collection[str]) -> str:
    """Return one of the names in `choices`."""
    names = ", ".join(repr(choice) for choice in choices)
    if not isinstance(value, str):
        raise TypeError(f"`{name}` must be a string, one of {names}; got {_got(value)}.")
    if value not in choices:
        raise ValueError(f"`{name}` must be one of {names}; got {value!r}.")
    return value


def as_rng(value: object, name: str = "rng") -> np.random.Generator:
    """Return a random generator: the caller's own, or a new one from an integer seed."""
    if isinstance(value, np.random.Generator):
        return value
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(
            f"`{name}` must be a numpy.random.Generator or an integer seed; got {_got(value)}. Pass a seed "
            f"such as 0, or numpy.random.default_rng(0)."
        )
    if value < 0:
        raise ValueError(f"`{name}` must not be a negative seed; got {value}. Pass a seed such as 0.")
    return np.random.default_rng(int(value))


# --- soft projectors --------------------------------------------------------------------------------------


def as_soft_projector(value: object, d: int, k: int, name: str) -> Array:
    """Return a new symmetric array (d, d) with eigenvalues in [0, 1] and trace k, all within 1e-6."""
    omega = _as_float64(value, name, f"a ({d}, {d}) array of numbers")
    fix = f"Use subspaceot.fantope.project({name}, {k})."
    if omega.shape != (d, d):
        raise ValueError(
            f"`{name}` must have shape ({d}, {d}), as the points have d={d} coordinates; got shape "
            f"{omega.shape}. Pass a symmetric matrix with eigenvalues in [0, 1] and trace {k}."
        )
    if not np.isfinite(omega).all():
        row, column = np.argwhere(~np.isfinite(omega))[0]
        raise ValueError(
            f"`{name}` must be finite; got {_nonfinite(omega[row, column])} in row {row} (counted from 0), "
            f"column {column}. Pass a symmetric matrix with eigenvalues in [0, 1] and trace {k}."
        )
    with np.errstate(over="ignore"):  # an infinite asymmetry or trace is refused like any other
        asymmetry = np.abs(omega - omega.T).max()
        omega = omega / 2 + omega.T / 2
        trace = omega.trace()
    if asymmetry > PROJECTOR_TOLERANCE:
        raise ValueError(
            f"`{name}` must be symmetric; got entries that differ by {asymmetry:.3g} from their mirror "
            f"image. Pass ({name} + {name}.T) / 2. Then, if needed: {fix}"
        )
    if not abs(trace - k) <= PROJECTOR_TOLERANCE:
        raise ValueError(f"`{name}` must have trace k={k}; got trace {trace:.9g}. {fix}")
    eigenvalues = np.linalg.eigvalsh(omega)  # ascending
    if eigenvalues[0] < -PROJECTOR_TOLERANCE or eigenvalues[-1] > 1 + PROJECTOR_TOLERANCE:
        raise ValueError(
            f"`{name}` must have eigenvalues between 0 and 1; got a smallest of {eigenvalues[0]:.9g} and a "
            f"largest of {eigenvalues[-1]:.9g}. {fix}"
        )
    return omega


# --- shared steps -----------------------------------------------------------------------------------------


def _as_points(value: object, name: str) -> Points:
    """Return valid points with the labels of their columns."""
    if isinstance(value, Points):
        return value
    return _checked(*_read_points(value, name), name)


def _read_points(value: object, name: str) -> tuple[Array, columns.Labels | None]:
    """Return points that may still have any shape, and the labels of their columns."""
    return _read(value, name, "an (n, d) array of numbers, one row per point", are_points=True)


def _checked(points: Array, labels: columns.Labels | None, name: str) -> Points:
    """Return the points if their shape and values are valid."""
    if points.size == 0:
        raise ValueError(
            f"`{name}` must hold at least one point with at least one coordinate; got an empty array of "
            f"shape {points.shape}. Pass a non-empty (n, d) array."
        )
    if points.ndim != 2:
        raise ValueError(
            f"`{name}` must have two dimensions (n, d), one row per point; got shape {points.shape}. "
            f"{_ndim_fix(points, name)}"
        )
    if not np.isfinite(points).all():
        row, column = np.argwhere(~np.isfinite(points))[0]
        raise ValueError(
            f"`{name}` must be finite; got {_nonfinite(points[row, column])} in row {row} (counted from 0), "
            f"column {column if labels is None else reprlib.repr(labels[column])}. Remove or fill in such rows first."
        )
    largest = max(points.max(), -points.min())
    if largest > LARGEST_VALUE:
        row = int(np.argmax(np.abs(points).max(axis=1)))
        raise ValueError(
            f"`{name}` must not hold values beyond {LARGEST_VALUE:g}, whose squared distances overflow; got "
            f"{largest:g} in row {row} (counted from 0). Rescale all points by one factor first."
        )
    return Points(points, labels)


def _as_float64(value: object, name: str, expected: str) -> Array:
    """Return anything numeric as a C-ordered float64 array; `expected` completes "must be"."""
    return _read(value, name, expected, are_points=False)[0]


def _read(value: Any, name: str, expected: str, *, are_points: bool) -> tuple[Array, columns.Labels | None]:
    """Return anything numeric as a C-ordered float64 array, nothing rounded, and the labels of a table's columns."""
    if value is None:
        raise TypeError(f"`{name}` must be {expected}; got None.")
    if _is_sparse(value):
        raise TypeError(
            f"`{name}` must be a dense array; got a scipy.sparse {type(value).__name__}. Pass `{name}.toarray()`."
        )
    table: Any = columns.opened(value, name)
    if table is None:
        return exact_numbers.read_array(value, name, expected, are_points=are_points), None
    return columns.read_frame(table, name) if hasattr(table, "columns") else (columns.read_column(table, name), None)


def _refuse_single_table(values: Any) -> None:
    """Raise TypeError for what cannot be a sequence of measures, such as the points of a single one."""
    rule = "`measures` must be a list of at least two measures, each an (n, d) array or a tuple (points, weights)"
    if isinstance(values, dict):
        raise TypeError(f"{rule}; got a dict. Pass `list(measures.values())`.")
    if columns.is_frame(values, "measures"):
        raise TypeError(f"{rule}; got one {type(values).__name__}. Pass a list of them.")
    if isinstance(values, str | bytes) or not hasattr(values, "__iter__"):
        raise TypeError(f"{rule}; got {_got(values)}.")
    if isinstance(values, np.ndarray) and values.ndim < 3:
        raise TypeError(f"{rule}; got one array of shape {values.shape}. Pass a list of such arrays.")


def _as_measure(value: Any, name: str) -> tuple[Points, Array | None]:
    """Return points and weights of one measure; a tuple of two is (points, weights), anything else is points."""
    if isinstance(value, list) and len(value) == 2 and _is_table(value[0]):
        raise TypeError(
            f"`{name}` must be an (n, d) array or a tuple (points, weights); got a list of both. Pass `tuple({name})`."
        )
    if not (isinstance(value, tuple) and len(value) == 2):
        return _as_points(value, name), None
    points, labels = _read_points(value[0], f"{name}[0]")
    if points.ndim == 1 and points.size:
        raise ValueError(
            f"`{name}` must be an (n, d) array or a tuple (points, weights); got a tuple whose points have shape "
            f"{points.shape}. Pass points on a line as a column, `{name}[0][:, None]`, and two rows as a list."
        )
    measure = _checked(points, labels, f"{name}[0]")
    if value[1] is None:
        return measure, None
    as_weights(value[1], len(measure), f"{name}[1]", f"{name}[0]")
    return measure, _as_float64(value[1], f"{name}[1]", "numbers")


def _is_table(value: Any) -> bool:
    """Return whether the value has rows and columns."""
    return getattr(value, "ndim", None) == 2 or columns.is_frame(value, "measures")


def _is_sparse(value: object) -> bool:
    """Return whether the value is a scipy.sparse matrix or array, without importing scipy.sparse."""
    sparse = sys.modules.get("scipy.sparse")  # not loaded: nobody can have made one
    return sparse is not None and bool(sparse.issparse(value))


def _as_integer(value: object, name: str) -> int:
    """Return a Python or NumPy integer as an int. True is no count and 2.0 may be a rounding accident."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"`{name}` must be an integer; got {_got(value)}. Pass an int such as 2.")
    return int(value)


def _as_real(value: object, name: str) -> float:
    """Return a Python or NumPy real number as a float; integers too large for one become inf."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"`{name}` must be a real number; got {_got(value)}. Pass a float such as 1e-3.")
    try:
        return float(value)
    except OverflowError:
        return -math.inf if value < 0 else math.inf


def _bytes_of_a_solve(n: int, m: int, d: int) -> int:
    """Return the memory that a solve needs."""
    # At most nine (n, m) arrays live at once: costs, kernels and plans; and four copies of the points.
    return 8 * (9 * n * m + 4 * (n + m) * d)


def _physical_memory() -> int | None:
    """Return the machine's memory in bytes, or None where the system does not tell."""
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # no sysconf, or it does not know these names
        return None
    return total if total > 0 else None


def _ndim_fix(points: Array, name: str) -> str:
    """Return the advice for points that are not two-dimensional."""
    if points.ndim == 0:
        return f"Use `[[{name}]]` for one point on a line."
    if points.ndim == 1:
        size = points.size
        return (
            f"Use `{name}[:, None]` for {size} points on a line, or `{name}[None, :]` for one point "
            f"with {size} coordinates."
        )
    return f"Use `{name}.reshape(len({name}), -1)` for one row per entry of the first axis."


def _weights_shape_fix(weights: Array, n: int, name: str) -> str:
    """Return the advice for weights of the wrong shape."""
    if weights.ndim != 1 and weights.size == n:
        return f"Pass `{name}.ravel()`."
    return "Pass one number per point, or None for uniform weights."


def _nonfinite(entry: np.float64) -> str:
    """Return the name of an entry that is not finite."""
    return "NaN" if np.isnan(entry) else str(entry)


def _got(value: object) -> str:
    """Return a short description of an unexpected value and its type."""
    if value is None:
        return "None"
    return f"{' '.join(reprlib.repr(value).split())} ({type(value).__name__})"


def as_fraction(value: object, name: str) -> float:
    """Return a real number between 0 and 1."""
    number = _as_real(value, name)
    if not 0.0 <= number <= 1.0:
        raise ValueError(f"`{name}` must be between 0 and 1; got {number:g}.")
    return number


def as_plan(value: Any, n: int, m: int) -> Any:
    """Return a dense or sparse (n, m) array of masses, none of them negative."""
    plan = value if hasattr(value, "tocsr") else as_points(value, "plan")
    if plan.shape != (n, m):
        raise ValueError(f"`plan` must have shape (n, m) = ({n}, {m}) to go with `X` and `Y`; got {plan.shape}.")
    if plan.min() < 0.0:
        raise ValueError(f"`plan` must not be negative; its smallest entry is {plan.min()}.")
    return plan
