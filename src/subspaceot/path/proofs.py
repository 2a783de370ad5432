"""What certificates for some k prove for the others."""

import numpy as np

from ..core.certificate import Certificate, Lower, Upper, expected_upper, lower_bound
from ..core.coupling import mixed
from ..core.fantope import SoftProjector, top_sum
from ..core.moments import cost_matrix
from ..core.problem import Problem
from ..runtime.types import Array
from ..transport import exact_transport


class Proofs:
    """Certificates of one pair of measures for several k.

    Lower: d_Omega^2 is linear in Omega, so theta Omega_1 + (1 - theta) Omega_2 with potentials mixed alike is a proof
    for the k that it has as trace: bounds become their concave hull.
    Upper: every plan bounds every k, and so does a mixture of two.
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

    def nearest(self, problem: Problem) -> tuple[int, int]:
        """Return the next smaller and the next larger k that are known, as 0 and r always are."""
        k = problem.k
        return max((j for j in self.ks if j < k), default=0), min((j for j in self.ks if j > k), default=problem.r)

    def certificate(self, problem: Problem) -> Certificate:
        """Return the best interval for this k that is proven."""
        return Certificate(lower=self._lower(problem), upper=self._upper(problem))

    def sharpened(self, problem: Problem, known: Certificate, tol: float) -> Certificate:
        """Return `known` with what both neighbours' plans together prove, and an exact transport for its Omega.

        0.5 ms where an interior-point step takes 5, and enough for one k in five that are tried (n = 100, d = 30).
        """
        below, above = self.nearest(problem)
        if below in self._uppers and above in self._uppers:
            share, p, q = (above - problem.k) / (above - below), self._uppers[below], self._uppers[above]
            V = share * p.V + (1.0 - share) * q.V
            plan = mixed(share, p.plan, q.plan)
            known = known.improved(known.lower, Upper(expected_upper(problem, top_sum(V, problem.k)), plan, V))
        if known.gap > tol:
            omega, g = known.lower.soft, known.lower.g
            C = cost_matrix(problem.X, problem.Y, omega.factor)
            transport = exact_transport(C, problem.a, problem.b, g, tol=0.01 * tol)
            known = known.improved(lower_bound(problem, omega, transport.g), known.upper)
        return known

    def _lower(self, problem: Problem) -> Lower:
        """Return the best mixture of a proof for a smaller k and one for a larger.

        Omega = 0 proves S_0 = 0, and the identity carries the potentials of the largest k.
        """
        values = {0: 0.0, problem.r: self._lowers[max(self._lowers)].value}
        values |= {k: lower.value for k, lower in self._lowers.items()}
        ks, bounds = np.array(list(values)), np.array(list(values.values()))
        below, above = ks <= problem.k, ks >= problem.k
        # How much of the smaller k makes a mixture of trace k, for all pairs; any share will do where both are k.
        shares = (ks[above] - problem.k) / np.maximum(ks[above] - ks[below][:, None], 1)
        mixed = shares * bounds[below][:, None] + (1.0 - shares) * bounds[above]
        best = np.unravel_index(np.argmax(mixed), mixed.shape)
        theta = float(shares[best])
        if theta in (0.0, 1.0):
            return self._known(int(ks[below][best[0]] if theta == 1.0 else ks[above][best[1]]), problem.r)
        p, q = self._known(int(ks[below][best[0]]), problem.r), self._known(int(ks[above][best[1]]), problem.r)
        return Lower(
            value=float(mixed[best]),
            soft=SoftProjector(theta * p.omega + (1.0 - theta) * q.omega),
            f=theta * p.f + (1.0 - theta) * q.f,
            g=theta * p.g + (1.0 - theta) * q.g,
        )

    def _known(self, k: int, r: int) -> Lower:
        """Return the bound for a known k, or for 0 or r."""
        if k in self._lowers:
            return self._lowers[k]
        last = self._lowers[max(self._lowers)]
        if k == r:
            return Lower(value=last.value, soft=SoftProjector(np.eye(r)), f=last.f, g=last.g)
        return Lower(value=0.0, soft=SoftProjector(0.0 * last.omega), f=0.0 * last.f, g=0.0 * last.g)

    def _upper(self, problem: Problem) -> Upper:
        """Return the best plan."""
        k = problem.k
        best = min(self._sums, key=lambda j: float(self._sums[j][k - 1]))
        return Upper(
            expected_upper(problem, float(self._sums[best][k - 1])), self._uppers[best].plan, self._uppers[best].V
        )
