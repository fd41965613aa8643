"""Reproducible values, and what a module case holds."""
import torch


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
