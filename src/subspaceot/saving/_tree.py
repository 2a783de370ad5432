"""Objects as a tree of plain values beside a list of arrays, and back.

Numbers, text, None and lists of a tree are themselves; all else is a dict with one key, which says what it stands for.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any

import numpy as np
import scipy.sparse

from ..core.status import Status
from ._kinds import class_of, require_class

_PLAIN = (bool, int, float, str)
_FEW = 0.3  # of the masses of a plan: with fewer that are not zero, only these are written
_CSR = ("data", "indices", "indptr")


class Writer:
    """What has been encoded so far; an array that comes again is written once."""

    def __init__(self) -> None:
        self.arrays: list[np.ndarray] = []
        self._known: dict[int, int] = {}

    def encoded(self, value: Any) -> Any:
        """Return the tree of a value."""
        if value is None or isinstance(value, _PLAIN) or _is_number(value):
            return _plain(value)
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, scipy.sparse.csr_array):
            return {"csr": [*(self._array(getattr(value, part)) for part in _CSR), list(map(int, value.shape))]}
        if isinstance(value, tuple):
            return {"tuple": [self.encoded(item) for item in value]}
        if isinstance(value, Mapping):
            return {"mapping": [[self.encoded(key), self.encoded(item)] for key, item in value.items()]}
        if isinstance(value, Status):
            return {"status": value.name}
        require_class(value)
        content = {field.name: self.encoded(getattr(value, field.name)) for field in fields(value)}
        return {type(value).__name__: content}

    def _array(self, array: np.ndarray) -> dict[str, Any]:
        if array.dtype.kind in "OUS":
            return {"labels": [_label(entry) for entry in array.tolist()]}
        if array.ndim == 2 and array.dtype == np.float64 and np.count_nonzero(array) < _FEW * array.size:
            sparse = scipy.sparse.csr_array(array)
            return {"zeros": self.encoded(sparse)}
        if id(array) not in self._known:
            self._known[id(array)] = len(self.arrays)
            self.arrays.append(array)
        return {"array": self._known[id(array)]}


class Reader:
    """The arrays of a file, and how to make objects of them and a tree."""

    def __init__(self, arrays: list[np.ndarray]) -> None:
        self._arrays = arrays
        self._made: dict[str, Callable[[Any], Any]] = {
            "array": lambda at: self._arrays[at],
            "csr": self._csr,
            "labels": _labels,
            "mapping": lambda items: MappingProxyType({self.decoded(key): self.decoded(item) for key, item in items}),
            "status": lambda name: Status[name],
            "tuple": lambda items: tuple(map(self.decoded, items)),
            "zeros": lambda tree: self.decoded(tree).toarray(),
        }

    def decoded(self, tree: Any) -> Any:
        """Return the value that a tree stands for; only classes that `_kinds` lists are made."""
        if tree is None or type(tree) in _PLAIN:
            return tree
        ((kind, content),) = tree.items()
        if kind in self._made:
            return self._made[kind](content)
        return class_of(kind)(**{name: self.decoded(value) for name, value in content.items()})

    def _csr(self, content: list[Any]) -> scipy.sparse.csr_array:
        *parts, shape = content
        masses = scipy.sparse.csr_array(tuple(self.decoded(part) for part in parts), shape=tuple(shape))
        masses.check_format(full_check=True)
        return masses


def _label(entry: Any) -> Any:
    """Return the label of a row in a form that JSON has: what is neither number nor text becomes text."""
    if isinstance(entry, tuple):
        return [_label(part) for part in entry]
    return _plain(entry) if entry is None or isinstance(entry, _PLAIN) or _is_number(entry) else str(entry)


def _is_number(value: Any) -> bool:
    return isinstance(value, np.generic) and value.dtype.kind in "biuf"


def _plain(value: Any) -> Any:
    """Return a number or text of NumPy's as Python's own."""
    return value.item() if isinstance(value, np.generic) else value


def _labels(entries: list[Any]) -> np.ndarray:
    """Return labels as an array of Python's objects."""
    labels = np.empty(len(entries), dtype=object)
    labels[:] = [tuple(entry) if isinstance(entry, list) else entry for entry in entries]
    return labels
