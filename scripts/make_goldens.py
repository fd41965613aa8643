#!/usr/bin/env python3
"""Writes tests/data/nn/goldens.json: modules, losses and optimizers as PyTorch computes them.

Needs PyTorch (Debian: apt-get install python3-torch, run with /usr/bin/python3).
"""
import json
import pathlib

import torch
from torch import nn

OUT = pathlib.Path(__file__).parent.parent / "tests/data/nn/goldens.json"


def values(shape, seed):
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(-200, 200, shape, generator=generator).float() / 128


def pack(tensor):
    tensor = tensor.detach()
    return {"shape": list(tensor.shape), "data": [float(f"{v:.9g}") for v in tensor.flatten().tolist()]}


def module_case(module, shape, seed):
    """Output, every gradient for a given output gradient, and buffers after the run."""
    for i, parameter in enumerate(module.parameters()):
        parameter.data = values(parameter.shape, seed + 10 + i)
    x = values(shape, seed).requires_grad_()
    case = {"state": {name: pack(t) for name, t in module.state_dict().items()}, "x": pack(x)}
    y = module(x)
    gradient = values(y.shape, seed + 1)
    y.backward(gradient)
    case.update(y=pack(y), dy=pack(gradient), dx=pack(x.grad))
    case["gradients"] = {name: pack(p.grad) for name, p in module.named_parameters()}
    case["buffers"] = {name: pack(b) for name, b in module.named_buffers()}
    return case


def modules():
    norm_eval = nn.BatchNorm2d(3, eps=1e-3).eval()
    norm_eval.running_mean = values((3,), 91)
    norm_eval.running_var = values((3,), 92).abs() + 0.5
    image = (2, 4, 6, 5)
    return {
        "linear": module_case(nn.Linear(3, 2), (4, 3), 100),
        "linear_rank3": module_case(nn.Linear(3, 2, bias=False), (2, 4, 3), 110),
        "conv2d": module_case(nn.Conv2d(4, 3, 3), image, 120),
        "conv2d_options": module_case(
            nn.Conv2d(4, 6, (3, 2), stride=(2, 1), padding=(1, 2), dilation=(1, 2), groups=2), image, 130),
        "batch_norm2d": module_case(nn.BatchNorm2d(3), (2, 3, 4, 5), 140),
        "batch_norm2d_momentum": module_case(nn.BatchNorm2d(3, eps=1e-3, momentum=0.3), (2, 3, 1, 2), 150),
        "batch_norm2d_plain": module_case(
            nn.BatchNorm2d(3, affine=False, track_running_stats=False), (2, 3, 2, 2), 155),
        "batch_norm2d_eval": module_case(norm_eval, (2, 3, 4, 5), 160),
        "max_pool2d": module_case(nn.MaxPool2d(2), image, 170),
        "max_pool2d_options": module_case(
            nn.MaxPool2d((3, 2), stride=2, padding=1, ceil_mode=True), image, 180),
        "avg_pool2d": module_case(nn.AvgPool2d(2), image, 190),
        "avg_pool2d_options": module_case(
            nn.AvgPool2d(3, stride=(2, 1), padding=1, ceil_mode=True, count_include_pad=False), image, 200),
        "global_avg_pool2d": module_case(nn.AdaptiveAvgPool2d(1), image, 210),
        "flatten": module_case(nn.Flatten(), image, 220),
        "flatten_options": module_case(nn.Flatten(2, 3), image, 225),
        "relu": module_case(nn.ReLU(), (3, 7), 230),
        "leaky_relu": module_case(nn.LeakyReLU(0.2), (3, 7), 240),
        "sigmoid": module_case(nn.Sigmoid(), (3, 7), 250),
        "tanh": module_case(nn.Tanh(), (3, 7), 260),
        "gelu": module_case(nn.GELU(), (3, 7), 270),
        "gelu_tanh": module_case(nn.GELU(approximate="tanh"), (3, 7), 275),
        "hardsigmoid": module_case(nn.Hardsigmoid(), (3, 7), 280),
        "hardswish": module_case(nn.Hardswish(), (3, 7), 290),
        "softmax": module_case(nn.Softmax(1), (3, 4, 2), 300),
        "log_softmax": module_case(nn.LogSoftmax(-1), (3, 7), 310),
    }


def loss_case(function, x, target):
    case = {"x": pack(x), "target": pack(target)}
    for reduction in ("mean", "sum", "none"):
        leaf = x.clone().requires_grad_()
        loss = function(leaf, target, reduction=reduction)
        loss.sum().backward()
        case[reduction] = pack(loss)
        case["dx_" + reduction] = pack(leaf.grad)
    return case


def losses():
    functional = nn.functional
    probabilities = torch.softmax(values((4, 3), 401), 1)
    return {
        "mse_loss": loss_case(functional.mse_loss, values((4, 3), 402), values((4, 3), 403)),
        "cross_entropy": loss_case(functional.cross_entropy, 8 * values((4, 3), 404), torch.tensor([2, 0, 1, 2])),
        "cross_entropy_images": loss_case(
            functional.cross_entropy, values((2, 3, 2, 2), 405), torch.tensor([[[0, 1], [2, 1]], [[1, 0], [2, 2]]])),
        "cross_entropy_probabilities": loss_case(functional.cross_entropy, values((4, 3), 406), probabilities),
    }


def optimizer_case(make, arguments, steps=3):
    parameter = values((2, 3), 500).requires_grad_()
    optimizer = make([parameter], **arguments)
    case = {"arguments": arguments, "parameter": pack(parameter), "gradients": [], "after": []}
    for step in range(steps):
        parameter.grad = values((2, 3), 501 + step)
        case["gradients"].append(pack(parameter.grad))
        optimizer.step()
        case["after"].append(pack(parameter))
    return case


def optimizers():
    sgd, adam = torch.optim.SGD, torch.optim.Adam
    return {
        "sgd": optimizer_case(sgd, dict(lr=0.1)),
        "sgd_momentum": optimizer_case(sgd, dict(lr=0.1, momentum=0.9)),
        "sgd_dampening": optimizer_case(sgd, dict(lr=0.1, momentum=0.9, dampening=0.5)),
        "sgd_nesterov": optimizer_case(sgd, dict(lr=0.1, momentum=0.9, nesterov=True)),
        "sgd_weight_decay": optimizer_case(sgd, dict(lr=0.1, momentum=0.8, weight_decay=0.2, nesterov=True)),
        "adam": optimizer_case(adam, dict(lr=0.1)),
        "adam_options": optimizer_case(adam, dict(lr=0.05, betas=[0.8, 0.9], eps=1e-3, weight_decay=0.2)),
    }


if __name__ == "__main__":
    goldens = {"torch": torch.__version__, "modules": modules(), "losses": losses(), "optimizers": optimizers()}
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps(goldens, separators=(",", ":")) + "\n")
