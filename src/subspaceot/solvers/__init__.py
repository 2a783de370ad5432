"""The loop and the ascents it can run, one per file. Each is a frozen set of settings."""

from ._loop import ENOUGH, Callback, Outcome, run
from ._start import Start
from ._step import Solver
from .auto import Auto
from .frank_wolfe import FrankWolfe
from .interior_point import InteriorPoint
from .one_solve import OneSolve
from .quasi_newton import QuasiNewton
from .supergradient import Supergradient

BY_NAME: dict[str, Solver] = {
    "auto": Auto(),
    "frank-wolfe": FrankWolfe(),
    "interior-point": InteriorPoint(),
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
    "OneSolve",
    "Outcome",
    "QuasiNewton",
    "Solver",
    "Start",
    "Supergradient",
    "run",
]
