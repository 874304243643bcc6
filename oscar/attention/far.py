"""The far field: a running sum of φ(k_j) v_jᵀ stands for all keys with one coefficient."""

import torch
from torch import Tensor

from oscar.attention.blocks import Blocks
from oscar.attention.coefficients import Coefficients
from oscar.attention.near import flat


class FarField:
    """Keys more than `reach` blocks before a query's block, or after it unless causal.

    Args:
        key: φ(k), (blocks, heads, size, m), zero where padded.
        value: (blocks, heads, size, d).
        blocks: the cut.
        coefficients: c, constant beyond `reach` blocks.
        reach: largest distance between two blocks that are near.
    """

    def __init__(
        self, key: Tensor, value: Tensor, blocks: Blocks, coefficients: Coefficients, reach: int
    ) -> None:
        self.key, self.value = flat(key), flat(value)
        self.blocks, self.gap = blocks, reach + 1
        self.senses = (False,) if coefficients.causal else (False, True)
        *self.tails, self.factor = coefficients.tails(reach)
        products = torch.cat([self.key.mT @ self.value, self.key.sum(1)[..., None]], -1)
        products = products.view(*key.shape[:2], key.shape[-1], -1)
        self.states = [blocks.running(products, self.gap, reverse) for reverse in self.senses]

    def sums(self, query: Tensor) -> tuple[Tensor, Tensor]:
        """Give Σ_j c φ(q_i)ᵀφ(k_j) v_j and Σ_j c φ(q_i)ᵀφ(k_j).

        Args:
            query: φ(q), (blocks, heads, size, m).

        Returns:
            (blocks, heads, size, d) and (blocks, heads, size, 1).
        """
        sums = (self._scaled(query) @ flat(self._state())).view(*query.shape[:3], -1)
        return sums[..., :-1].contiguous(), sums[..., -1:].contiguous()

    def gradients(
        self, query: Tensor, to_sums: Tensor, to_totals: Tensor
    ) -> tuple[tuple[Tensor, Tensor, Tensor], Tensor]:
        """Give the gradients of query, key and value, and of log c on the two sides, (2, heads).

        Args:
            query: φ(q), (blocks, heads, size, m).
            to_sums: gradient of the sums, (blocks, heads, size, d).
            to_totals: gradient of the totals, (blocks, heads, size, 1).
        """
        shape = query.shape[:3]
        columns = self._scaled(query).mT
        to_sums, to_totals = flat(to_sums), flat(to_totals)
        to_state = torch.cat([columns @ to_sums, columns @ to_totals], -1)
        to_products, to_tails = self._through_sums(to_state)
        of_values, of_ones = _parts(flat(self._state()))
        to_query = (to_totals * of_ones).baddbmm_(to_sums, of_values).view_as(query)
        if self.factor is not None:
            to_query *= self.factor
        of_values, of_ones = _parts(to_products)
        to_key = torch.baddbmm(of_ones, self.value, of_values)
        to_value = self.key @ of_values.mT
        return (to_query, to_key.view(*shape, -1), to_value.view(*shape, -1)), to_tails

    def _through_sums(self, to_state: Tensor) -> tuple[Tensor, Tensor]:
        """Give the gradients of each block's φ(k)ᵀ[v, 1] and of log c on the two sides."""
        to_state = to_state.view_as(self.states[0])
        to_products = torch.zeros_like(to_state)
        to_tails = to_state.new_zeros(2, to_state.shape[1])
        for side, (tail, state, reverse) in enumerate(
            zip(self.tails, self.states, self.senses, strict=False)
        ):
            to_sums = to_state * tail
            to_tails[side] = (to_sums * state).sum((0, 2, 3))
            to_products += self.blocks.running(to_sums, self.gap, not reverse)
        return flat(to_products), to_tails

    def _state(self) -> Tensor:
        """Give Σ_j c φ(k_j) [v_j, 1]ᵀ over each block's far keys, (blocks, heads, m, d + 1)."""
        state = self.states[0] * self.tails[0]
        for tail, after in zip(self.tails[1:], self.states[1:], strict=False):
            state.addcmul_(after, tail)
        return state

    def _scaled(self, query: Tensor) -> Tensor:
        return flat(query if self.factor is None else query * self.factor)


def _parts(state: Tensor) -> tuple[Tensor, Tensor]:
    """Give (blocks, m, d + 1) as transposes of what belongs to values, and to their weight."""
    return state[..., :-1].mT, state[..., -1:].mT
