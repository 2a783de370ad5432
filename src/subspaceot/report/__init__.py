"""Pages to send to a colleague: one HTML file each. Needs the extra `report`."""

from .comparison import Evidence, comparison_page
from .page import require_jinja
from .source import Source

__all__ = ["Evidence", "Source", "comparison_page", "require_jinja"]
