"""What a test measures of two labelled samples."""

from .components import NAMES, Components, Statistic
from .pool import Pool

__all__ = ["NAMES", "Components", "Pool", "Statistic"]
