"""How reg falls from stage to stage of an entropic ascent."""

from dataclasses import dataclass

from ..transport import FALL


@dataclass(frozen=True, slots=True)
class Schedule:
    """Where reg begins, how fast it falls, and where the last stage aims.

    What a stage certifies is its own gap and the blur of its plan; both fall like reg. So the reg that meets `tol` can
    be predicted from the last stage, and a last fall that leads there may be a steeper one.
    `python -m benchmarks.calibrate` measures other values.
    """

    first: float = 0.05  #: of the cost: the first reg, or a smaller one for a loose `tol`
    decay: float = FALL  #: from one reg to the next, or two such falls at once where they meet `tol`
    target: float = 0.9  #: of `tol`: the gap that the last stage aims at

    @property
    def steepest(self) -> float:
        """The steepest fall: the last one."""
        return self.decay**2

    def first_share(self, tol: float) -> float:
        """Return the first reg as a share of the cost: one fall above the last one if that is not far below `first`."""
        one_fall_above = self.target * tol / self.decay
        return one_fall_above if self.decay * self.first <= one_fall_above <= self.first else self.first

    def next_reg(self, reg: float, blur: float, gap: float, allowed: float) -> float:
        """Return the next reg, given a blur and an expected gap of so many reg, for a sum of both of `allowed`."""
        enough = self.target * allowed / (blur + gap)
        return min(enough if enough >= self.steepest * reg else self.decay * reg, self.target * reg)
