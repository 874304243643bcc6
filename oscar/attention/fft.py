"""Kernelised attention by fast Fourier transform, a few features at a time: O(n log n).

y_i = Σ_j c_{j-i} φ_f(k_j) v_j is a convolution for each feature f and each column of v. Two columns
make the real and imaginary part of one complex signal: c is real and never mixes them. No product
φ(k) vᵀ of all features is ever held; the backward pass works out its transforms again.
"""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from oscar.attention.attended import Attended, divisor, with_ones
from oscar.attention.blocks import chunk_bytes
from oscar.attention.toeplitz import extend

ACCURATE = 0.1  # c_0 below this share of the largest c costs single precision a digit


def fft(query: Tensor, key: Tensor, value: Tensor, log_c: Tensor, causal: bool) -> Attended:
    """Attend with any coefficients.

    Arguments and result are those of `band`. The error is relative to the largest sums of a head:
    for causal attention, whose first queries see little, and where a query's own c_0 is well below
    the largest c, the transforms are in double precision. That is not enough where φ(k) spans more
    orders of magnitude than a double has digits, as that of `favor+` may for long vectors: a query
    that sees small φ(k) alone then gets noise.
    """
    line = extend(log_c, query.shape[2], causal)
    level = line.detach().amax(-1, keepdim=True)
    columns = (x.mT.contiguous() for x in (query, key, with_ones(value)))
    sums: Tensor = _convolve(*columns, (line - level).exp())
    totals = sums.mT[..., -1:]
    result = sums.mT[..., :-1] / divisor(totals)
    return Attended(result, totals, level[..., None].expand_as(totals))


def smooth_size(least: int) -> int:
    """Give the smallest 2^a 3^b 5^c that is at least `least`: sizes that transform fast."""
    best = 1 << (least - 1).bit_length()
    five = 1
    while five < best:
        three = five
        while three < best:
            best = min(best, three << max(0, (-(-least // three) - 1).bit_length()))
            three *= 3
        five *= 5
    return best


@torch.library.custom_op("oscar::convolve", mutates_args=())
def _convolve(query: Tensor, key: Tensor, value: Tensor, c: Tensor) -> Tensor:
    """Give Σ_f φ_f(q_i) Σ_j c_{j-i} φ_f(k_j) v_j.

    Args:
        query: φ(q), (batch, heads, m, n).
        key: φ(k), (batch, heads, m, n).
        value: (batch, heads, e, n).
        c: (heads, 2n - 1).

    Returns:
        (batch, heads, e, n).
    """
    n = c.shape[-1] // 2 + 1
    sums = torch.empty_like(value)
    query, key, value, c = _accurate(c, query, key, value, c)
    filters = _spectra(c)
    for b, h, paired, chunks in _signals(value, query.shape[2], c):
        total = torch.zeros_like(paired)
        for part in chunks:
            spectrum = _spectrum(key[b, h, part], paired, filters.shape[-1])
            convolved = torch.fft.ifft(spectrum.mul_(filters[h]))[..., :n]
            total += (convolved * query[b, h, part, None]).sum(0)
        sums[b, h] = _unpaired(total, value.shape[2])
    return sums


@torch.library.custom_op("oscar::convolve_backward", mutates_args=())
def _gradients(
    query: Tensor, key: Tensor, value: Tensor, c: Tensor, to_sums: Tensor
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Give the gradients of query, key, value and c from that of the sums: four transforms."""
    n = c.shape[-1] // 2 + 1
    to_query, to_key, to_value, to_c = (torch.empty_like(x) for x in (query, key, value, c))
    query, key, value, c, to_sums = _accurate(c, query, key, value, c, to_sums)
    filters = _spectra(c)
    to_filters = torch.zeros_like(filters)
    for b, h, paired, chunks in _signals(value, query.shape[2], c):
        gradient = _paired(to_sums[b, h])
        total = torch.zeros_like(paired)
        for part in chunks:
            forth = _spectrum(key[b, h, part], paired, filters.shape[-1])
            back = _spectrum(query[b, h, part], gradient, filters.shape[-1])
            to_filters[h] += (back * forth.conj()).sum((0, 1))
            convolved = torch.fft.ifft(forth.mul_(filters[h]))[..., :n]
            to_query[b, h, part] = (convolved * gradient.conj()).real.sum(1)
            convolved = torch.fft.ifft(back.mul_(filters[h].conj()))[..., :n]
            to_key[b, h, part] = (convolved * paired.conj()).real.sum(1)
            total += (convolved * key[b, h, part, None]).sum(0)
        to_value[b, h] = _unpaired(total, value.shape[2])
    # Coefficient c_δ sits at place -δ of the filter, around the end for δ > 0.
    to_c.copy_(torch.fft.ifft(to_filters).real.roll(n - 1, -1)[:, : 2 * n - 1].flip(-1))
    return to_query, to_key, to_value, to_c


def _signals(
    value: Tensor, features: int, c: Tensor
) -> Iterator[tuple[int, int, Tensor, list[slice]]]:
    """Give batch, head, values paired to complex ones, and slices of features to take at a time."""
    size = smooth_size(c.shape[-1])
    signal_bytes = size * (value.shape[2] + 1) * value.element_size()
    width = max(1, chunk_bytes(value.device) // signal_bytes)
    parts = [slice(start, start + width) for start in range(0, features, width)]
    for b in range(value.shape[0]):
        for h in range(value.shape[1]):
            yield b, h, _paired(value[b, h]), parts


def _spectra(c: Tensor) -> Tensor:
    """Give the spectra of the filters h_t = c_{-t}, (heads, size), complex."""
    size = smooth_size(c.shape[-1])
    n = c.shape[-1] // 2 + 1
    filters = torch.nn.functional.pad(c.flip(-1), (0, size - c.shape[-1])).roll(1 - n, -1)
    spectra: Tensor = torch.fft.fft(filters)
    return spectra


def _spectrum(features: Tensor, paired: Tensor, size: int) -> Tensor:
    """Give the spectra of the products of some features (f, n) with the signals (e/2, n)."""
    products = paired.new_zeros(features.shape[0], paired.shape[0], size)
    torch.mul(paired, features[:, None], out=products[..., : paired.shape[-1]])
    spectrum: Tensor = torch.fft.fft(products)
    return spectrum


def _paired(x: Tensor) -> Tensor:
    """Give rows (e, n) two by two as complex ones, (⌈e/2⌉, n)."""
    even = torch.nn.functional.pad(x, (0, 0, 0, x.shape[0] % 2))
    return torch.complex(even[0::2].contiguous(), even[1::2].contiguous())


def _unpaired(x: Tensor, rows: int) -> Tensor:
    """Give the transpose of `_paired`: the real and imaginary parts as rows."""
    return torch.stack([x.real, x.imag], 1).flatten(0, 1)[:rows]


def _accurate(c: Tensor, *tensors: Tensor) -> Iterator[Tensor]:
    """Give the tensors in double precision where single loses more than a digit."""
    n = c.shape[-1] // 2 + 1
    causal = n > 1 and bool((c[:, n:] == 0).all())
    double = causal or bool((c[:, n - 1] < ACCURATE).any())
    return (x.double() if double else x for x in tensors)


@_convolve.register_fake
def _(query: Tensor, key: Tensor, value: Tensor, c: Tensor) -> Tensor:
    return torch.empty_like(value)


@_gradients.register_fake
def _(query: Tensor, key: Tensor, value: Tensor, c: Tensor, to_sums: Tensor) -> Any:
    return tuple(torch.empty_like(x) for x in (query, key, value, c))


def _setup(ctx: Any, inputs: tuple[Tensor, ...], output: Tensor) -> None:
    ctx.save_for_backward(*inputs)


def _backward(ctx: Any, to_sums: Tensor) -> tuple[Tensor, ...]:
    with torch.autocast(to_sums.device.type, enabled=False):
        gradients: tuple[Tensor, ...] = _gradients(*ctx.saved_tensors, to_sums)
    return gradients


_convolve.register_autograd(_backward, setup_context=_setup)
