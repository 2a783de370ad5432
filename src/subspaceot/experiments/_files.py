"""Files that are whole or not there."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def write_whole(file: Path, text: str) -> None:
    """Write a text under a temporary name and rename it, so that no reader ever sees half of it."""
    part = file.with_name(f".{file.name}.part")
    try:
        part.write_text(text, encoding="utf-8")
        os.replace(part, file)
    finally:
        part.unlink(missing_ok=True)


def save_figure(file: Path, figure: "Figure") -> None:
    """Write a figure as PNG in the same way."""
    part = file.with_name(f".{file.name}.part")
    try:
        figure.savefig(part, format="png", metadata={"Software": None})
        os.replace(part, file)
    finally:
        part.unlink(missing_ok=True)
