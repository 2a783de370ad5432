"""Which inputs are read in chunks, and how each becomes a source."""

import os
import sys
from typing import Any

import numpy as np

from ..core import validate
from .arrays import array_source
from .datasets import dataset_source, opened_path
from .source import Source

_ENDINGS = (".parquet", ".pq", ".npy")


def comes_in_chunks(value: object) -> bool:
    """Return whether data are read in chunks: a path, numpy.memmap, pyarrow dataset, or Dask array or dataframe."""
    if isinstance(value, str):  # text that is no path is refused as what it is
        return os.sep in value or value.lower().endswith(_ENDINGS) or os.path.exists(value)
    return isinstance(value, os.PathLike | np.memmap) or _is_dataset(value) or _is_dask(value)


def as_source(value: Any, weights: Any, name: str, weights_name: str) -> Source:
    """Return the source of anything that is read in chunks, and of arrays in memory."""
    if isinstance(value, str | os.PathLike):
        value = opened_path(value, name)
    if _is_dask(value):
        from .dask_collections import dask_source

        return dask_source(value, weights, name, weights_name)
    if _is_dataset(value):
        if weights is not None and not isinstance(weights, str):
            validate.refuse_weights(weights_name, "must be the name of a column of weights, or None", "Pass its name.")
        return dataset_source(value, weights, name, weights_name)
    if not isinstance(value, np.ndarray):
        value = validate.as_points(value, name)
    if isinstance(weights, str):
        fix = "Pass one number per row, or None."
        validate.refuse_weights(weights_name, f"must be an array, as `{name}` has no names of columns", fix)
    return array_source(value, _array_of_weights(weights, len(value), weights_name, name), name)


def _array_of_weights(weights: Any, n: int, weights_name: str, name: str) -> Any:
    """Return weights (n,) that need not be in memory, or None; their values are looked at as they are read."""
    if weights is None:
        return None
    weights = weights if isinstance(weights, np.ndarray) else np.asarray(weights, dtype=np.float64)
    if weights.shape != (n,):
        what = f"must hold one weight for each of the {n} rows of `{name}`; got shape {weights.shape}"
        validate.refuse_weights(weights_name, what, "Pass one number per row, or None.")
    return weights


def _is_dataset(value: object) -> bool:
    """Return whether the value is a pyarrow dataset, without importing pyarrow."""
    module = sys.modules.get("pyarrow.dataset")
    return module is not None and isinstance(value, module.Dataset)


def _is_dask(value: object) -> bool:
    """Return whether the value is a Dask array or dataframe, without importing Dask."""
    return type(value).__module__.partition(".")[0] in ("dask", "dask_expr") and hasattr(value, "to_delayed")
