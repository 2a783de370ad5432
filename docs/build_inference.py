"""Write the tables of level, power and coverage in docs/inference.md from the rows that the benchmarks left behind.

python -m benchmarks.level
python -m benchmarks.power
python -m benchmarks.coverage
python docs/build_inference.py
"""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))  # where the benchmarks are
from benchmarks import coverage, level, power  # noqa: E402

PAGE = HERE / "inference.md"


def built(page: str) -> str:
    """Return a page with the tables as they are kept."""
    for module in (level, power, coverage):
        page = with_output(page, module.__name__, module.report(module.FILE))
    return page


def with_output(page: str, command: str, lines: Sequence[str]) -> str:
    """Return a page with these lines in the text block after a command."""
    before = re.escape(f"```bash\npython -m {command}\n```\n\n```text\n")
    page, count = re.subn(
        f"({before}).*?(?=```)", lambda found: "\n".join([found[1] + lines[0], *lines[1:], ""]), page, flags=re.S
    )
    if count != 1:
        raise ValueError(f"The page must hold one text block after `python -m {command}`; it holds {count}.")
    return page


if __name__ == "__main__":
    PAGE.write_text(built(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
