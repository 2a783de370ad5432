"""From one shape to another, along a geodesic
============================================

The plan says which point goes where, so it also says where everything is half way. `interpolate(t)` gives the measure
at time t. Here a ring becomes a cross, in the plane where both differ, while eight more coordinates are noise.
"""

import matplotlib.pyplot as plt
import numpy as np

import subspaceot as sot

rng = np.random.default_rng(0)
N, NOISE = 240, 8
angle = np.linspace(0.0, 2.0 * np.pi, N, endpoint=False)
ring = np.column_stack([np.cos(angle), np.sin(angle)]) * 2.0
arm = np.linspace(-2.0, 2.0, N // 2)
cross = np.vstack([np.column_stack([arm, 0.0 * arm]), np.column_stack([0.0 * arm, arm])])
hidden = np.linalg.qr(rng.standard_normal((2 + NOISE, 2 + NOISE)))[0]
X = np.hstack([ring, 0.3 * rng.standard_normal((N, NOISE))]) @ hidden.T
Y = np.hstack([cross, 0.3 * rng.standard_normal((N, NOISE))]) @ hidden.T

# %%
# Neither knows where the plane is: the data are turned at random in ten dimensions. S_2 finds it.

result = sot.srw(X, Y, k=2)
found = np.linalg.svd(hidden[:, :2].T @ result.basis)[1]
print(result)
print("cosines between the plane and what was found:", found.round(4))

# %%
# Seen in that plane, the ring turns into the cross. Along a geodesic, S_2 to the start grows in proportion to time.

figure, panels = plt.subplots(1, 5, figsize=(10, 2.3), sharex=True, sharey=True)
for t, panel in zip(np.linspace(0.0, 1.0, 5), panels, strict=True):
    points, weights = result.interpolate(t)
    seen = points @ hidden[:, :2]
    panel.scatter(*seen.T, s=400 * weights, color=plt.cm.cividis(t))
    panel.set(aspect="equal", xticks=[], yticks=[], title=f"t = {t:g}")
    if t in (0.25, 0.5):
        back = sot.srw(X, points, k=2, b=weights)
        print(f"S_2 from the start to t = {t:g}: {back.distance:.4f}, expected {t * result.distance:.4f}")
figure.tight_layout()
plt.show()
