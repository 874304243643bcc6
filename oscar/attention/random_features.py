"""Random directions ω for kernel estimates: orthogonal, structured or independent rows."""

import math

import torch
from torch import Tensor

from oscar.attention.choices import check_choice

HADAMARD_ROUNDS = 3  # products of a Hadamard matrix and random signs: two are not enough


def draw_directions(
    rows: int, dim: int, seed: int, kind: str = "orthogonal", norms: str = "chi"
) -> Tensor:
    """Draw `rows` directions ω, independent from one block of `dim` rows to the next.

    Directions that are orthogonal within a block cover the sphere more evenly than independent
    ones and lower the variance of the kernel estimate without a bias (Choromanski et al., ICLR
    2021, section 2.4).

    Args:
        rows: number of directions, any.
        dim: length of each.
        seed: the same seed gives the same directions.
        kind: "orthogonal": rows of uniformly random rotations; "hadamard": rows of products of
            Hadamard matrices and random signs, orthogonal if `dim` is a power of two and nearly
            uniform (Yu et al., NeurIPS 2016, section 4), drawn without a QR decomposition;
            "independent": Gaussian rows, to compare with.
        norms: "chi": lengths of Gaussian vectors, for unbiased estimates; "sqrt": √dim for all,
            a regularised kernel of less variance (Choromanski et al., section 2.4 and theorem 1).
            Independent rows keep their own lengths.

    Returns:
        float32 tensor (rows, dim).

    Raises:
        OscarError: there is no such kind or norm.
    """
    check_choice("kind of directions", kind, ("orthogonal", "hadamard", "independent"))
    check_choice("norm of directions", norms, ("chi", "sqrt"))
    generator = torch.Generator().manual_seed(seed)
    if kind == "independent":
        return torch.randn(rows, dim, generator=generator)
    draw = _rotations if kind == "orthogonal" else _hadamard_products
    size = dim if kind == "orthogonal" else 1 << (dim - 1).bit_length()
    directions = draw(-(-rows // size), size, generator).flatten(0, 1)[:rows]
    if norms == "sqrt":
        directions *= math.sqrt(size)
    else:
        gaussian = torch.randn(rows, size, generator=generator, dtype=torch.float64)
        directions *= torch.linalg.vector_norm(gaussian, dim=1, keepdim=True)
    return directions[:, :dim].float()


def _rotations(count: int, dim: int, generator: torch.Generator) -> Tensor:
    """Draw orthogonal matrices (count, dim, dim) from the uniform (Haar) distribution."""
    gaussian = torch.randn(count, dim, dim, generator=generator, dtype=torch.float64)
    basis: Tensor
    triangle: Tensor
    basis, triangle = torch.linalg.qr(gaussian)
    # QR alone is not uniform: LAPACK fixes the signs of its reflections, this undoes it.
    return basis * triangle.diagonal(dim1=-2, dim2=-1).sign()[:, None, :]


def _hadamard_products(count: int, dim: int, generator: torch.Generator) -> Tensor:
    """Draw (H D₃)(H D₂)(H D₁), each (dim, dim) and orthogonal, for a power of two `dim`."""
    hadamard = torch.ones(1, 1, dtype=torch.float64)
    while len(hadamard) < dim:
        hadamard = torch.cat([hadamard.repeat(1, 2), torch.cat([hadamard, -hadamard], 1)])
    product = torch.eye(dim, dtype=torch.float64).expand(count, dim, dim)
    for _ in range(HADAMARD_ROUNDS):
        signs = torch.randint(0, 2, (count, dim, 1), generator=generator) * 2 - 1
        product = hadamard / math.sqrt(dim) @ (signs * product)
    return product
