"""What certificates for some k prove for the others."""

from itertools import product

import numpy as np

from ._types import Array
from .certificate import Certificate, Lower, Upper
from .fantope import SoftProjector
from .problem import Problem


class Proofs:
    """Certificates of one pair of measures for several k.

    Lower: d_Omega^2 is linear in Omega, so theta Omega_1 + (1 - theta) Omega_2 with potentials mixed alike is a proof
    for the k that it has as trace: bounds become their concave hull.
    Upper: every plan bounds every k. Mixtures of two are hardly ever better than both.
    """

    def __init__(self) -> None:
        self._lowers: dict[int, Lower] = {}
        self._uppers: dict[int, Upper] = {}
        self._sums: dict[int, Array] = {}  # of the largest eigenvalues of each plan's V, as many as there are

    @property
    def ks(self) -> list[int]:
        """Those with a certificate of their own."""
        return list(self._lowers)

    def add(self, k: int, certificate: Certificate) -> None:
        """Know one more, or one better."""
        self._lowers[k], self._uppers[k] = certificate.ends
        self._sums[k] = np.cumsum(np.linalg.eigvalsh(certificate.upper.V)[::-1])

    def nearest(self, k: int) -> tuple[int | None, int | None]:
        """Return the next smaller and the next larger k that are known."""
        return max((j for j in self.ks if j < k), default=None), min((j for j in self.ks if j > k), default=None)

    def certificate(self, problem: Problem) -> Certificate:
        """Return the best interval for this k that is proven."""
        return Certificate(lower=self._lower(problem), upper=self._upper(problem.k))

    def _lower(self, problem: Problem) -> Lower:
        """Return the best mixture of a proof for a smaller k and one for a larger.

        Omega = 0 proves S_0 = 0, and the identity carries the potentials of the largest k.
        """
        last = self._lowers[max(self._lowers)]
        zero = Lower(value=0.0, soft=SoftProjector(0.0 * last.omega), f=0.0 * last.f, g=0.0 * last.g)
        everything = Lower(value=last.value, soft=SoftProjector(np.eye(problem.r)), f=last.f, g=last.g)
        known = {0: zero, problem.r: everything, **self._lowers}

        def value(ends: tuple[int, int]) -> float:
            theta = _share(problem.k, *ends)
            return theta * known[ends[0]].value + (1.0 - theta) * known[ends[1]].value

        below, above = [k for k in known if k <= problem.k], [k for k in known if k >= problem.k]
        best = max(product(below, above), key=value)
        p, q, theta = known[best[0]], known[best[1]], _share(problem.k, *best)
        if p is q:
            return p
        return Lower(
            value=value(best),
            soft=SoftProjector(theta * p.omega + (1.0 - theta) * q.omega),
            f=theta * p.f + (1.0 - theta) * q.f,
            g=theta * p.g + (1.0 - theta) * q.g,
        )

    def _upper(self, k: int) -> Upper:
        """Return the best plan."""
        best = min(self._sums, key=lambda j: float(self._sums[j][k - 1]))
        return Upper(float(self._sums[best][k - 1]), self._uppers[best].plan, self._uppers[best].V)


def _share(k: int, below: int, above: int) -> float:
    """Return how much of the smaller k makes a mixture of trace k."""
    return (above - k) / (above - below) if above > below else 1.0
