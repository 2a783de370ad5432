"""What a test measures of two labelled samples."""

from .components import NAMES, WHITENED, Components, Statistic
from .pool import Pool

__all__ = ["NAMES", "WHITENED", "Components", "Pool", "Statistic"]
