"""What a result in coordinates says about the features that the coordinates are made of."""

import numpy as np

from .result import Result
from .runtime.types import Array


def shares_through(result: Result, loadings: Array) -> Array:
    """Return each original feature's share (G,) of the cost, where the columns of the data are scores Z = F @ loadings.

    A displacement z of scores stands for loadings @ z of features, so that the matrix whose diagonal `feature_share`
    takes becomes loadings omega^1/2 V omega^1/2 loadings^T. With orthonormal loadings (G, d) its trace is the same.
    """
    values, vectors = np.linalg.eigh(result.omega)
    root = (vectors * np.sqrt(np.clip(values, 0.0, 1.0))) @ vectors.T
    M = root @ result.displacement @ root
    if np.trace(M) <= 0.0:  # the measures coincide: the subspace's own shares
        M = result.omega
    share = np.maximum(np.einsum("ij,ij->i", loadings @ M, loadings), 0.0)
    shares: Array = share / share.sum()
    return shares
