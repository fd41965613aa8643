"""Functions of tensors."""
import math

import torch
from torch.nn import functional

from .common import pack, values


def packed(x):
    return x if isinstance(x, list) else None if x is None else dict(pack(x), dtype=str(x.dtype).split(".")[1])


def run_case(function, inputs, seed, constant=()):
    """Outputs, and the gradients of floating-point inputs for given output gradients, but of those that are `constant`."""
    leaves = [x.requires_grad_() if isinstance(x, torch.Tensor) and x.is_floating_point() and i not in constant else x
              for i, x in enumerate(inputs)]
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


def declared_case(function, name, inputs, seed, constant=(), **options):
    run = lambda *x: function(*x, **options)
    return {"function": name, "options": options, **run_case(run, inputs, seed, constant)}


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


def layer_functions():
    """What layers compute, with their parameters as operands; the batch is the first axis of extent 2."""
    f = functional
    line, image, solid = (2, 4, 7), (2, 4, 5, 3), (2, 4, 3, 4, 2)
    weight, bias = (lambda: values((4,), 2000)), (lambda: values((4,), 2001))
    ints = torch.tensor([[1, 0, 4], [2, 2, 1]])
    cases = {
        "linear": (f.linear, "linear", [values((2, 5, 3), 2010), values((4, 3), 2011), values((4,), 2012)], {}),
        "linear_plain": (f.linear, "linear", [values((2, 3), 2013), values((4, 3), 2014), None], {}),
        "conv1d": (f.conv1d, "conv1d", [values(line, 2020), values((6, 2, 3), 2021), values((6,), 2022)],
                   dict(stride=2, padding=1, dilation=2, groups=2)),
        "conv1d_same": (f.conv1d, "conv1d", [values(line, 2023), values((3, 4, 4), 2024), None], dict(padding="same")),
        "conv2d": (f.conv2d, "conv2d", [values(image, 2025), values((3, 4, 2, 3), 2026), values((3,), 2027)], {}),
        "conv2d_options": (f.conv2d, "conv2d", [values(image, 2028), values((4, 2, 3, 1), 2029), None],
                           dict(stride=[2, 1], padding=[1, 2], groups=2)),
        "conv2d_unbatched": (f.conv2d, "conv2d", [values(image[1:], 2030), values((3, 4, 2, 3), 2031), None],
                             dict(padding="valid")),
        "conv3d": (f.conv3d, "conv3d", [values(solid, 2032), values((3, 4, 2, 1, 2), 2033), values((3,), 2034)],
                   dict(padding=[1, 0, 1])),
        "conv_transpose1d": (f.conv_transpose1d, "conv_transpose1d",
                             [values(line, 2035), values((4, 2, 3), 2036), values((4,), 2037)],
                             dict(stride=2, padding=1, output_padding=1, groups=2, dilation=2)),
        "conv_transpose2d": (f.conv_transpose2d, "conv_transpose2d",
                             [values(image, 2038), values((4, 3, 2, 2), 2039), values((3,), 2040)], dict(stride=[2, 1])),
        "conv_transpose2d_unbatched": (f.conv_transpose2d, "conv_transpose2d",
                                       [values(image[1:], 2041), values((4, 3, 2, 2), 2042), None], {}),
        "conv_transpose3d": (f.conv_transpose3d, "conv_transpose3d",
                             [values(solid, 2043), values((4, 3, 2, 1, 2), 2044), None], dict(padding=[1, 0, 0])),
        "embedding": (f.embedding, "embedding", [ints, values((5, 3), 2045)], dict(padding_idx=-3)),
        "layer_norm": (f.layer_norm, "layer_norm", [values(line, 2046), [7], values((7,), 2047), values((7,), 2048)], {}),
        "layer_norm_plain": (f.layer_norm, "layer_norm", [values(line, 2049), [4, 7], None, None], dict(eps=1e-3)),
        "group_norm": (lambda x, groups, *rest, **options: f.group_norm(x, groups[0], *rest, **options), "group_norm",
                       [values(image, 2050), [2], weight(), bias()], dict(eps=1e-3)),
        "batch_norm": (f.batch_norm, "batch_norm", [values(image, 2051), values((4,), 2002), values((4,), 2003).abs() + 0.5,
                                                    weight(), bias()], dict(eps=1e-3, constant=(1, 2))),
        "batch_norm_training": (f.batch_norm, "batch_norm", [values(line, 2052), None, None, weight(), None],
                                dict(training=True)),
        "instance_norm": (f.instance_norm, "instance_norm", [values(image, 2053), None, None, weight(), bias()],
                          dict(eps=1e-3)),
        "interpolate": (f.interpolate, "interpolate", [values(line, 2054)], dict(size=[10])),
        "interpolate_scale": (f.interpolate, "interpolate", [values(image, 2055)],
                              dict(scale_factor=[2.0, 1.5], mode="bilinear", align_corners=True)),
        "max_pool1d": (f.max_pool1d, "max_pool1d", [values(line, 2060)], dict(kernel_size=3, stride=2, padding=1)),
        "max_pool2d": (f.max_pool2d, "max_pool2d", [values(image, 2061)], dict(kernel_size=2)),
        "max_pool2d_unbatched": (f.max_pool2d, "max_pool2d", [values(image[1:], 2062)],
                                 dict(kernel_size=[2, 1], ceil_mode=True)),
        "max_pool3d": (f.max_pool3d, "max_pool3d", [values(solid, 2063)], dict(kernel_size=[2, 2, 1], stride=1)),
        "avg_pool1d": (f.avg_pool1d, "avg_pool1d", [values(line, 2064)], dict(kernel_size=3, padding=1)),
        "avg_pool2d": (f.avg_pool2d, "avg_pool2d", [values(image, 2065)],
                       dict(kernel_size=[2, 1], stride=1, count_include_pad=False, padding=[1, 0])),
        "avg_pool2d_unbatched": (f.avg_pool2d, "avg_pool2d", [values(image[1:], 2066)], dict(kernel_size=2)),
        "avg_pool3d": (f.avg_pool3d, "avg_pool3d", [values(solid, 2067)], dict(kernel_size=2)),
        "adaptive_avg_pool1d": (f.adaptive_avg_pool1d, "adaptive_avg_pool1d", [values(line, 2068)], dict(output_size=3)),
        "adaptive_avg_pool2d": (f.adaptive_avg_pool2d, "adaptive_avg_pool2d", [values(image, 2069)],
                                dict(output_size=[2, 3])),
        "adaptive_avg_pool3d": (f.adaptive_avg_pool3d, "adaptive_avg_pool3d", [values(solid, 2070)],
                                dict(output_size=[2, 3, 1])),
        "adaptive_max_pool1d": (f.adaptive_max_pool1d, "adaptive_max_pool1d", [values(line, 2071)], dict(output_size=3)),
        "adaptive_max_pool2d": (f.adaptive_max_pool2d, "adaptive_max_pool2d", [values(image, 2372)],
                                dict(output_size=[2, 3])),
        "adaptive_max_pool3d": (f.adaptive_max_pool3d, "adaptive_max_pool3d", [values(solid, 2073)],
                                dict(output_size=[2, 4, 1])),
        "pixel_shuffle": (f.pixel_shuffle, "pixel_shuffle", [values((2, 8, 3, 2), 2074)], dict(upscale_factor=2)),
        "threshold": (f.threshold, "threshold", [values(line, 2075)], dict(threshold=0.25, value=-2.0)),
        "hardshrink": (f.hardshrink, "hardshrink", [values(line, 2076)], dict(lambd=0.75)),
        "softshrink": (f.softshrink, "softshrink", [values(line, 2077)], dict(lambd=0.75)),
        "softmin": (f.softmin, "softmin", [values(line, 2078)], dict(dim=1)),
    }
    return {name: declared_case(function, called, inputs, 2100 + 4 * i, **options)
            for i, (name, (function, called, inputs, options)) in enumerate(cases.items())}


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
