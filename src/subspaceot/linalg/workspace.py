"""Large arrays that are used again, by step after step and solve after solve."""

import numpy as np

from ..runtime.types import Array


class Workspace:
    """Memory for one array of each name, as large as the largest so far.

    The system finds fresh memory page by page, up to 1 ms a MB on virtual machines: a twentieth of the time of a path.
    """

    def __init__(self) -> None:
        self._held: dict[str, Array] = {}

    def array(self, name: str, *shape: int) -> Array:
        """Return an array that holds whatever was left there, in the place of the last of this name."""
        size = int(np.prod(shape))
        if name not in self._held or self._held[name].size < size:
            self._held[name] = np.zeros(size)
        return self._held[name][:size].reshape(shape)
