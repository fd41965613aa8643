"""Functions of tensors."""
import math

import torch
from torch.nn import functional

from .common import pack, values


def packed(x):
    return x if isinstance(x, list) else None if x is None else dict(pack(x), dtype=str(x.dtype).split(".")[1])


def run_case(function, inputs, seed):
    """Outputs, and the gradients of floating-point inputs for given output gradients."""
    leaves = [x.requires_grad_() if isinstance(x, torch.Tensor) and x.is_floating_point() else x for x in inputs]
    outputs = function(*leaves)
    outputs = list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]
    case = {"inputs": [packed(x) for x in leaves]}
    smooth = [y for y in outputs if y.requires_grad]
    gradients = [values(y.shape, seed + i) if y.requires_grad else None for i, y in enumerate(outputs)]
    if smooth:
        torch.autograd.backward(smooth, [g for g in gradients if g is not None])
    case["outputs"] = [packed(y) for y in outputs]
    case["output_gradients"] = [packed(g) for g in gradients]
    case["input_gradients"] = [pack(x.grad) if isinstance(x, torch.Tensor) and x.grad is not None else None
                               for x in leaves]
    return case


def attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    """As PyTorch's documentation defines it; PyTorch has it from version 2.0 on."""
    if enable_gqa:
        key, value = (x.repeat_interleave(query.shape[1] // x.shape[1], 1) for x in (key, value))
    scores = query @ key.transpose(-2, -1) * (1 / math.sqrt(query.shape[-1]) if scale is None else scale)
    if is_causal:
        attn_mask = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        scores = scores.masked_fill(~attn_mask, -math.inf)
    elif attn_mask is not None:
        scores = scores + attn_mask
    return torch.softmax(scores, -1) @ value


def declared_case(function, name, inputs, seed, **options):
    return {"function": name, "options": options, **run_case(lambda *x: function(*x, **options), inputs, seed)}


def declared_functions():
    """Those that both languages call by name with PyTorch's options."""
    heads = lambda seed, count=2: [values((2, count, 3, 4), seed), values((2, 2, 5, 4), seed + 1),
                                   values((2, 2, 5, 3), seed + 2)]
    seen = torch.tensor([[1, 0, 1, 1, 0], [1, 1, 1, 1, 1], [0, 0, 1, 0, 0]], dtype=torch.bool)
    x = lambda seed: values((2, 3, 4), seed)
    out = {
        "scaled_dot_product_attention": declared_case(attention, "scaled_dot_product_attention", heads(1700), 1705),
        "attention_causal": declared_case(attention, "scaled_dot_product_attention", heads(1710), 1715, is_causal=True),
        "attention_mask": declared_case(attention, "scaled_dot_product_attention", heads(1720) + [seen], 1725),
        "attention_added": declared_case(
            attention, "scaled_dot_product_attention", heads(1730) + [values((2, 1, 3, 5), 1733)], 1735, scale=0.75),
        "attention_grouped": declared_case(
            attention, "scaled_dot_product_attention", heads(1740, 4), 1745, enable_gqa=True),
        "normalize": declared_case(functional.normalize, "normalize", [x(1750)], 1751),
        "normalize_p": declared_case(functional.normalize, "normalize", [x(1752)], 1753, p=3.0, dim=-1, eps=0.5),
        "cosine_similarity": declared_case(functional.cosine_similarity, "cosine_similarity", [x(1754), x(1755)], 1756),
        "cosine_similarity_dim": declared_case(
            functional.cosine_similarity, "cosine_similarity", [x(1757), x(1758)], 1759, dim=2),
        "pad": declared_case(functional.pad, "pad", [x(1760), [1, 2, 0, 1]], 1761, value=0.5),
        "pad_reflect": declared_case(functional.pad, "pad", [x(1762), [1, 2]], 1763, mode="reflect"),
        "pad_replicate": declared_case(functional.pad, "pad", [x(1764), [2, 1]], 1765, mode="replicate"),
        "pad_circular": declared_case(functional.pad, "pad", [x(1766), [1, 3]], 1767, mode="circular"),
        "prelu": declared_case(functional.prelu, "prelu", [x(1768), values((3,), 1769)], 1770),
        "glu": declared_case(functional.glu, "glu", [x(1771)], 1772),
        "leaky_relu": declared_case(functional.leaky_relu, "leaky_relu", [x(1773)], 1774, negative_slope=0.25),
        "gelu": declared_case(functional.gelu, "gelu", [x(1775)], 1776, approximate="tanh"),
        "softplus": declared_case(functional.softplus, "softplus", [x(1777)], 1778, beta=2.0),
        "hardtanh": declared_case(functional.hardtanh, "hardtanh", [x(1779)], 1780, min_val=-0.55, max_val=1.3),
        "elu": declared_case(functional.elu, "elu", [x(1781)], 1782, alpha=0.5),
        "celu": declared_case(functional.celu, "celu", [x(1783)], 1784, alpha=2.0),
    }
    plain = ["hardsigmoid", "hardswish", "silu", "mish", "selu", "softsign", "logsigmoid", "relu6"]
    for i, name in enumerate(plain):
        out[name] = declared_case(getattr(functional, name), name, [x(1790 + 2 * i)], 1791 + 2 * i)
    norms = {"norm": dict(), "norm_one": dict(p=1.0, dim=[0, 2]), "norm_largest": dict(p=math.inf, dim=[1]),
             "norm_three": dict(p=3.0, dim=[1], keepdim=True)}
    for i, (name, options) in enumerate(norms.items()):
        out[name] = declared_case(torch.norm, "norm", [x(1820 + 2 * i)], 1821 + 2 * i, **options)
    spreads = {"": dict(), "_biased": dict(dim=[1], correction=0), "_axes": dict(dim=[0, -1], keepdim=True)}
    for i, (suffix, options) in enumerate(spreads.items()):
        for name, function in (("var", torch.var), ("std", torch.std)):
            call = lambda t, dim=(0, 1, 2), function=function, **rest: function(t, dim, **{"correction": 1, **rest})
            out[name + suffix] = declared_case(call, name, [x(1840 + 2 * i)], 1841 + 2 * i, **options)
    return out


def other_functions():
    """Those that the tests of each language call by hand."""
    x = lambda seed: values((2, 3, 4), seed)
    index = torch.tensor([[[2, 0, 1, 1]], [[0, 0, 2, 1]]])
    cases = {
        "min": (lambda t: t.amin((0, 2)), [x(1900)]),
        "logsumexp": (lambda t: torch.logsumexp(t, (1, 2)), [x(1902)]),
        "argmax": (lambda t: torch.argmax(t, 1), [x(1904)]),
        "argmax_all": (torch.argmax, [x(1906)]),
        "argmin": (lambda t: torch.argmin(t, -1, keepdim=True), [x(1908)]),
        "topk": (lambda t: torch.topk(t, 2, 2), [x(1910)]),
        "topk_smallest": (lambda t: torch.topk(t, 2, 1, largest=False), [x(1912)]),
        "sort": (lambda t: torch.sort(t, stable=True), [x(1914)]),
        "sort_descending": (lambda t: torch.sort(t, 1, descending=True), [x(1916)]),
        "flip": (lambda t: torch.flip(t, (0, -1)), [x(1918)]),
        "one_hot": (lambda t: functional.one_hot(t, 4), [torch.tensor([[2, 0], [3, 1]])]),
        "cumsum": (lambda t: torch.cumsum(t, 1), [x(1922)]),
        "tril": (lambda t: torch.tril(t, 1), [x(1924)]),
        "triu": (lambda t: torch.triu(t, -1), [x(1926)]),
        "tile": (lambda t: torch.tile(t, (2, 1, 2, 3)), [x(1928)]),
        "tile_last": (lambda t: torch.tile(t, (2,)), [x(1930)]),
        "split": (lambda t: torch.split(t, 3, 2), [x(1932)]),
        "split_sizes": (lambda t: torch.split(t, [1, 0, 3], -1), [x(1934)]),
        "chunk": (lambda t: torch.chunk(t, 3, 2), [x(1936)]),
        "stack": (lambda a, b: torch.stack((a, b), 1), [x(1938), x(1939)]),
        "gather_elements": (lambda t: torch.gather(t, 1, index), [x(1942)]),
        "scatter": (lambda t, s: torch.scatter(t, 1, index, s), [x(1944), values((2, 1, 4), 1945)]),
        "scatter_add": (lambda t, s: torch.scatter_add(t, 1, index, s), [x(1946), values((2, 1, 4), 1947)]),
        "einsum": (lambda a, b: torch.einsum("bij,bkj->bik", a, b), [x(1948), values((2, 5, 4), 1949)]),
    }
    return {name: run_case(function, inputs, 1960 + 4 * i) for i, (name, (function, inputs)) in enumerate(cases.items())}
