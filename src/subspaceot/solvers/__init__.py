"""The loop and the ascents it can run, one per file. Each is a frozen set of settings."""

from .ascent.method import QuasiNewton
from .auto import Auto
from .interior_point.method import InteriorPoint
from .large.method import Large
from .loop import ENOUGH, Callback, Outcome, Stop, is_stoppable, run
from .one_solve import OneSolve
from .paper.frank_wolfe import FrankWolfe
from .paper.supergradient import Supergradient
from .schedule import Schedule
from .start import Start
from .step import Solver

BY_NAME: dict[str, Solver] = {
    "auto": Auto(),
    "frank-wolfe": FrankWolfe(),
    "interior-point": InteriorPoint(),
    "large": Large(),
    "quasi-newton": QuasiNewton(),
    "supergradient": Supergradient(),
}

__all__ = [
    "BY_NAME",
    "ENOUGH",
    "Auto",
    "Callback",
    "FrankWolfe",
    "InteriorPoint",
    "Large",
    "OneSolve",
    "Outcome",
    "QuasiNewton",
    "Schedule",
    "Solver",
    "Start",
    "Stop",
    "Supergradient",
    "is_stoppable",
    "run",
]
