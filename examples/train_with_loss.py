"""Training with a loss that looks at few directions
===================================================

A generator of eight parameters shall imitate data in 20 dimensions, of which 18 are noise. The loss is S_2^2 between a
sample of the generator and one of the data, and Adam follows its gradient through PyTorch.
"""

import matplotlib.pyplot as plt
import numpy as np
import torch

from subspaceot.torch import SRWLoss

N, DIMENSIONS, NOISE = 200, 20, 0.5


def data(rng):
    """Return a sample (N, 20): two arcs in the first two dimensions, noise in the others."""
    angle = rng.uniform(0.0, np.pi, N)
    side = rng.choice([-1.0, 1.0], N)
    plane = side[:, None] * np.column_stack([3.0 * np.cos(angle) - 1.5, 3.0 * np.sin(angle) - 0.5])
    return np.hstack([plane + 0.1 * rng.standard_normal((N, 2)), NOISE * rng.standard_normal((N, DIMENSIONS - 2))])


class Generator(torch.nn.Module):
    """Two arcs, each with a centre, a radius and a rotation of its own, all unknown, beside noise."""

    def __init__(self):
        super().__init__()
        self.centres = torch.nn.Parameter(torch.tensor([[0.5, 0.0], [-0.5, 0.0]], dtype=torch.float64))
        self.radii = torch.nn.Parameter(torch.ones(2, dtype=torch.float64))
        self.rotations = torch.nn.Parameter(torch.tensor([0.5, 3.6], dtype=torch.float64))

    def forward(self, rng):
        """Return a sample (N, 20)."""
        arc = torch.as_tensor(rng.integers(0, 2, N))
        angle = torch.as_tensor(rng.uniform(0.0, np.pi, N)) + self.rotations[arc]
        plane = self.centres[arc] + self.radii[arc, None] * torch.stack([angle.cos(), angle.sin()], dim=1)
        return torch.hstack([plane, torch.as_tensor(NOISE * rng.standard_normal((N, DIMENSIONS - 2)))])


rng = np.random.default_rng(0)
generator, loss = Generator(), SRWLoss(k=2, tol=1e-2)
optimiser = torch.optim.Adam(generator.parameters(), lr=0.1)
with torch.no_grad():
    before = generator(rng)
costs = []
for step in range(61):
    optimiser.zero_grad()
    cost = loss(generator(rng), torch.as_tensor(data(rng)))
    cost.backward()
    optimiser.step()
    costs.append(cost.item())
    if step % 15 == 0:
        result = loss.results[0]
        plane = np.linalg.norm(result.basis[:2]) ** 2 / 2.0
        print(
            f"step {step:2d}: S_2^2 {result.cost:6.2f}, solver bounds {result.lower:.2f} to {result.upper:.2f}, "
            f"{plane:4.0%} of the subspace in the plane of the arcs"
        )

# %%
# The loss does not fall to 0, as two samples of one law are apart too, and what is left lies mostly in dimensions of
# noise. The parameters are near those of the data: centres (-1.5, -0.5) and (1.5, 0.5), radii 3.

with torch.no_grad():
    after = generator(rng)
same = loss(torch.as_tensor(data(rng)), torch.as_tensor(data(rng))).item()
print(f"two samples of the data: {same:.2f}")
print("centres:", generator.centres.detach().numpy().round(1).tolist())
print("radii:  ", generator.radii.detach().numpy().round(1).tolist())

figure, axes = plt.subplots(1, 3, figsize=(10, 3.2))
for ax, sample, title in zip(axes, (before, after), ("before", "after 61 steps"), strict=False):
    ax.scatter(*data(rng)[:, :2].T, s=8, color="tab:gray", label="data")
    ax.scatter(*sample.numpy()[:, :2].T, s=8, color="tab:red", label="generator")
    ax.set(title=title, aspect="equal", xlim=(-5.5, 5.5), ylim=(-4.5, 4.5))
axes[0].legend(loc="lower left", fontsize=8)
axes[2].plot(costs, color="tab:red")
axes[2].axhline(same, color="tab:gray", linestyle=":")
axes[2].set(title="S_2^2", xlabel="step", ylim=(0.0, None))
figure.tight_layout()
plt.show()
