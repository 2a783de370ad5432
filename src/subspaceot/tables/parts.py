"""Where the mass of one row goes, read off a plan."""

import numpy as np
import scipy.sparse

from ..core.potentials import is_large
from ..result import Result
from ..runtime.types import Array, Indices


class Parts:
    """The rows of one sample, and which rows of the other take how much of each."""

    def __init__(self, plan: "Array | scipy.sparse.csr_array") -> None:
        self._plan = plan

    @classmethod
    def of(cls, result: Result) -> "Parts":
        """Return where the rows of X go; of many points a sparse plan stands for one that would not fit."""
        frame = result.problem.frame
        return cls(result.sparse_plan if is_large(frame.n, frame.m) else result.plan)

    @property
    def reversed(self) -> "Parts":
        """Where the rows of the other sample come from."""
        plan = self._plan
        return Parts(plan.T.tocsr() if isinstance(plan, scipy.sparse.csr_array) else plan.T)

    def largest(self, i: int, count: int = 1) -> list[tuple[int, float]]:
        """Return the rows that take the largest parts of row `i`, and these parts of its mass; none of none.

        Examples
        --------
        >>> Parts(np.array([[0.25, 0.0, 0.75]])).largest(0, count=3)
        [(2, 0.75), (0, 0.25)]
        """
        columns, masses = self._row(i)
        order = np.argsort(-masses, kind="stable")[:count]
        return [(int(columns[at]), float(masses[at] / masses.sum())) for at in order if masses[at] > 0.0]

    def _row(self, i: int) -> tuple[Indices, Array]:
        """Return columns and masses of row `i`."""
        if isinstance(self._plan, scipy.sparse.csr_array):
            start, stop = self._plan.indptr[i : i + 2]
            return self._plan.indices[start:stop], self._plan.data[start:stop]
        return np.arange(self._plan.shape[1]), self._plan[i]
