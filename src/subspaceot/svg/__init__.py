"""Small pictures written by hand, for pages and notebooks: markup with escaped texts, scales, axes and shapes."""

from .axes import bottom_axis, left_axis
from .colours import BOTH, FIRST, GREY, SECOND
from .markup import Markup, joined, picture, tag
from .scale import Scale
from .shapes import band, dots, label, line, polyline, rectangle

__all__ = [
    "BOTH",
    "FIRST",
    "GREY",
    "SECOND",
    "Markup",
    "Scale",
    "band",
    "bottom_axis",
    "dots",
    "joined",
    "label",
    "left_axis",
    "line",
    "picture",
    "polyline",
    "rectangle",
    "tag",
]
