"""The paper's first figure: all lines through the plane
======================================================

Four points against five in the plane, k = 1. For each line through the origin, the points are projected onto it and
transported there. The projection robust distance P_1 is the best of these costs, the largest value of the first curve.
The subspace robust distance S_1 is the least largest eigenvalue of V over all plans. It is never below P_1, and in the
first example equal to it.

The points are not the paper's, whose coordinates it does not give; what they show is the same.
"""

import matplotlib.pyplot as plt

import subspaceot as sot

figure, panels = plt.subplots(2, 2, figsize=(9, 7), gridspec_kw={"width_ratios": (1, 1.3)})
for coincide, (left, right) in zip((True, False), panels, strict=True):
    data = sot.instances.planar(coincide=coincide)
    robust = sot.srw(data.X, data.Y, 1, data.a, data.b, tol=1e-6)
    projected = sot.prw(data.X, data.Y, 1, data.a, data.b)
    curves = sot.planar.angle_curves(data.X, data.Y, data.a, data.b)
    print(f"{'coincide' if coincide else 'differ':8s}  P_1^2 = {projected.cost:.4f}  S_1^2 = {robust.cost:.4f}")

    for i, j in zip(*robust.plan.nonzero(), strict=True):
        ends = data.X[i], data.Y[j]
        left.plot(*zip(*ends, strict=True), color="gray", lw=12 * robust.plan[i, j], alpha=0.6)
    left.scatter(*data.X.T, s=900 * data.a, color="tab:blue", zorder=2)
    left.scatter(*data.Y.T, s=900 * data.b, color="tab:red", zorder=2)
    left.set(aspect="equal", title="the plan of S_1")

    right.plot(curves.theta, curves.cost, label="cost of the projections")
    right.plot(curves.theta, curves.largest, label="larger eigenvalue of V of their plan")
    right.plot(curves.theta, curves.smallest, label="smaller eigenvalue")
    right.axhline(robust.cost, color="black", ls="--", lw=1, label="S_1^2")
    right.set(xlabel="angle of the line, in degrees", title="all lines")
    right.legend(fontsize=8)
figure.tight_layout()
plt.show()

# %%
# `subspaceot reproduce toy` draws this as the paper does, and `subspaceot reproduce --list` names everything else
# that can be reproduced.
