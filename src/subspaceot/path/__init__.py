"""One pair of measures for many k."""

from .curve import Path, srw_path
from .elbow import Elbow

__all__ = ["Elbow", "Path", "srw_path"]
