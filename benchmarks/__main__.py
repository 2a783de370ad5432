"""The command: choose problems, measure them, print the table."""

import argparse
import json
import os
from pathlib import Path
from typing import Any


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a few small problems only")
    parser.add_argument("--scans", action="store_true", help="also the time over n, d, k and tol")
    parser.add_argument(
        "--only", metavar="NAME", help="only what holds NAME in its name, such as wishart5-k5-n500, start or scan-d"
    )
    parser.add_argument("--repeats", type=int, default=5, metavar="N", help="runs behind each median (default 5)")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="BLAS threads of POT's projection solver")
    parser.add_argument("--no-pot", action="store_true", help="without POT's projection solver, the slowest of all")
    parser.add_argument(
        "--pot-from", type=Path, metavar="FILE", help="POT's projection solver as an earlier run's FILE has it"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything that was measured to FILE")
    options = parser.parse_args()
    if options.repeats < 1 or options.threads < 1:
        parser.error("--repeats and --threads must be at least 1")

    # Before NumPy is loaded, and for the processes started here too.
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
        os.environ[variable] = str(options.threads)
    from . import machine, measure, scans, start, table
    from .problems import PROBLEMS

    problems = {problem.name: problem for problem in PROBLEMS if problem.quick or not options.quick}
    varied = {scan.name: scan for scan in scans.SCANS if options.scans}
    names = ["start", *problems, *varied]
    chosen = [name for name in names if (options.only or "") in name]
    if not chosen:
        parser.error(f"--only must be part of one of: {', '.join(names)}")

    report: dict[str, Any] = {"machine": machine.machine(options.threads), "repeats": options.repeats}
    report |= {"start": {}, "rows": [], "scans": []}
    earlier = None
    if options.pot_from:
        earlier = json.loads(options.pot_from.read_text())
        if earlier["machine"] != report["machine"]:
            parser.error(f"--pot-from must be a run on this machine with these versions; {options.pot_from} is not")
        report["POT projection"] = "from an earlier run"
    missed = []
    print("; ".join(f"{name} {value}" for name, value in report["machine"].items()), flush=True)
    if "start" in chosen:
        report["start"] = start.start(options.repeats)
        missed += start.missed(report["start"])
        print(table.start_line(report["start"]), flush=True)
    if set(problems) & set(chosen):
        print("", table.EXPLANATION, "", table.header(), sep="\n", flush=True)
    for name in chosen:
        if name in problems:
            pot = not options.no_pot and earlier is None
            row = measure.measured(problems[name], options.repeats, pot=pot)
            report["rows"].append(row if earlier is None else measure.with_pot_of(row, earlier))
            missed += measure.missed(report["rows"][-1])
            print(table.line(report["rows"][-1]), flush=True)
        elif name in varied:
            report["scans"].append(scans.scanned(varied[name], options.repeats, quick=options.quick))
            missed += scans.missed(report["scans"][-1])
            print("", *table.scan_lines(report["scans"][-1]), sep="\n", flush=True)
        if options.json:  # after each part: an interrupted run keeps what it has
            options.json.write_text(json.dumps(report, indent=1) + "\n")
    print(f"\ngoals missed: {'; '.join(missed) or 'none'}")


if __name__ == "__main__":
    main()
