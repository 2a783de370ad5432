"""Entry point: `python -m fuzz N SEED`, `python -m fuzz --line N SEED`, `python -m fuzz --only INDEX SEED`."""

import argparse
import os
import sys

# Before NumPy is loaded: processes whose linear algebra is parallel too mostly wait for each other.
for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(name, "1")

from .run import repeat, run  # noqa: E402


def main() -> int:
    """Parse the arguments, run, and return the exit code: 1 if a problem failed."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description="Hostile random problems, refereed exactly.")
    parser.add_argument("numbers", type=int, nargs="+", metavar="N SEED", help="how many problems, and which stream")
    parser.add_argument("--line", action="store_true", help="problems in one dimension only, with known answers")
    parser.add_argument("--only", type=int, metavar="INDEX", help="this problem alone; then give SEED only")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: %(default)s)")
    arguments = parser.parse_args()
    wanted = 1 if arguments.only is not None else 2
    if len(arguments.numbers) != wanted or min(*arguments.numbers, arguments.jobs, 1) < 0:
        parser.error("give N and SEED, or `--only INDEX` and SEED, none of them negative")
    if arguments.only is not None:
        return repeat(arguments.only, arguments.numbers[0], arguments.line)
    return run(*arguments.numbers, arguments.line, arguments.jobs)


if __name__ == "__main__":
    sys.exit(main())
