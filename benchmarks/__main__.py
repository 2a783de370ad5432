"""The command: choose problems, measure them, print the table."""

import argparse
import json
import os
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a few small problems only")
    parser.add_argument("--only", metavar="NAME", help="only problems whose name, such as wishart5-k5-n500, holds NAME")
    parser.add_argument("--repeats", type=int, default=5, metavar="N", help="runs behind each median (default 5)")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="BLAS threads; emd2 itself uses one")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything that was measured to FILE")
    options = parser.parse_args()
    if options.repeats < 1 or options.threads < 1:
        parser.error("--repeats and --threads must be at least 1")

    # Before NumPy is loaded, and for the processes started here too.
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
        os.environ[variable] = str(options.threads)
    from .problems import PROBLEMS

    choice = [problem for problem in PROBLEMS if problem.quick or not options.quick]
    problems = [problem for problem in choice if (options.only or "") in problem.name]
    if not problems:
        parser.error(f"--only must be part of one of: {', '.join(problem.name for problem in choice)}")

    from . import measure, table

    machine, startup = measure.machine(options.threads), measure.startup()
    print("; ".join(f"{name} {value}" for name, value in machine.items()))
    print("once per process: " + ", ".join(f"{name} {seconds:.2f} s" for name, seconds in startup.items()))
    print(table.EXPLANATION, table.header(), sep="\n\n", flush=True)
    measure.warm_up(problems[0])
    rows = []
    for problem in problems:
        rows.append(measure.measured(problem, options.repeats))
        print(table.line(rows[-1]), flush=True)
    missed = [words for row in rows for words in measure.missed(row)]
    print(f"\ngoals missed: {'; '.join(missed) or 'none'}")
    if options.json:
        report = {"machine": machine, "startup seconds": startup, "repeats": options.repeats, "rows": rows}
        options.json.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
