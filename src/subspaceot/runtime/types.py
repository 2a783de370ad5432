"""The array types of the package."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]
Indices: TypeAlias = NDArray[np.intp]
Plan: TypeAlias = Any  # masses (n, m): a dense array, or a scipy.sparse.csr_array
