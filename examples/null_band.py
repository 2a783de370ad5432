"""A path with its null band
==========================

S_k^2 grows with k whether or not the samples differ. The null band shows how high the curve comes when rows are dealt
out anew to both samples at random: what chance alone gives.
"""

import matplotlib.pyplot as plt
import numpy as np

import subspaceot as sot

rng = np.random.default_rng(0)
X, Y = rng.standard_normal((2, 60, 8))
Y[:, 0] += 1.5
band = sot.null_band(X, Y, k=range(1, 6), n_permutations=39, tol=3e-2)
print("k             ", *[f"{k:6d}" for k in band.ks])
print("S_k^2         ", *[f"{cost:6.2f}" for cost in band.cost])
print("chance, mean  ", *[f"{mean:6.2f}" for mean in band.mean])
print("chance, up to ", *[f"{high:6.2f}" for high in band.high])
print("p             ", *[f"{p:6.3f}" for p in band.p_values])

# %%
# The curve lies above the band. The excess over the mean is what chance does not explain. It is no estimate of the
# populations' distance, which is 1.5^2 = 2.25 here, as chance adds less to a difference that is there.

print("excess        ", *[f"{excess:6.2f}" for excess in band.excess])

figure, axes = plt.subplots(figsize=(7, 4))
axes.fill_between(band.ks, band.low, band.high, alpha=0.3, color="tab:gray", label="95 % band of chance")
axes.plot(band.ks, band.mean, color="tab:gray", label="its mean")
axes.plot(band.ks, band.cost, "o-", label="the samples")
axes.set(xlabel="k", ylabel="S_k^2", ylim=(0.0, None), xticks=band.ks)
axes.legend()
figure.tight_layout()
plt.show()
