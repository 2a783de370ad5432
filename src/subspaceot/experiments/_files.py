"""Files that are whole or not there."""

import os
from pathlib import Path


def write_whole(file: Path, content: bytes) -> None:
    """Write a file under a temporary name and rename it, so that no reader ever sees half of it."""
    part = file.with_name(f".{file.name}.part")
    try:
        part.write_bytes(content)
        os.replace(part, file)
    finally:
        part.unlink(missing_ok=True)
