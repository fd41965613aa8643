"""Reproducible values, and what a module case holds."""
import inspect

import torch


class GlobalAvgPool2d(torch.nn.AdaptiveAvgPool2d):
    """The name that this project has for it."""

    def __init__(self):
        super().__init__(1)


class RMSNorm(torch.nn.Module):
    """PyTorch has it from version 2.4 on."""

    def __init__(self, normalized_shape, eps=None, elementwise_affine=True):
        super().__init__()
        shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.axes, self.eps = tuple(range(-len(shape), 0)), eps
        if elementwise_affine:
            self.weight = torch.nn.Parameter(torch.ones(shape))

    def forward(self, x):
        eps = torch.finfo(x.dtype).eps if self.eps is None else self.eps
        unit = x / torch.sqrt((x * x).mean(self.axes, keepdim=True) + eps)
        return unit * self.weight if hasattr(self, "weight") else unit


class Recorder:
    """torch.nn, whose modules remember how they were made, so that the tests make the same."""

    own = {"GlobalAvgPool2d": GlobalAvgPool2d, "RMSNorm": RMSNorm}

    def __getattr__(self, name):
        make = self.own.get(name) or getattr(torch.nn, name)

        def made(*arguments, **options):
            module = make(*arguments, **options)
            module.golden = {"class": name}
            if name == "Sequential":
                module.golden["layers"] = [layer.golden for layer in arguments]
            else:
                bound = inspect.signature(signature_of(make)).bind(*arguments, **options).arguments
                bound.update(bound.pop("kwargs", {}))
                module.golden["arguments"] = {key: getattr(each, "golden", each) for key, each in bound.items()}
            return module

        return made


def signature_of(make):
    """The recurrent layers pass all on to a base class, which also takes their kind."""
    if not issubclass(make, torch.nn.RNNBase):
        return make

    def recurrent(input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False,
                  proj_size=0, device=None, dtype=None, **kwargs):
        pass

    return recurrent


nn = Recorder()


def values(shape, seed):
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(-200, 200, shape, generator=generator).float() / 128


def pack(tensor):
    tensor = tensor.detach()
    return {"shape": list(tensor.shape), "data": [float(f"{v:.9g}") for v in tensor.flatten().tolist()]}


def described(module):
    """How the module was made, its mode and its state."""
    return {**module.golden, "training": module.training,
            "state": {name: pack(t) for name, t in module.state_dict().items()}}


def module_case(module, shape, seed):
    """Output, every gradient for a given output gradient, and buffers after the run."""
    for i, parameter in enumerate(module.parameters()):
        parameter.data = values(parameter.shape, seed + 10 + i)
    x = values(shape, seed).requires_grad_()
    case = described(module)
    case["x"] = pack(x)
    y = module(x)
    gradient = values(y.shape, seed + 1)
    y.backward(gradient)
    case.update(y=pack(y), dy=pack(gradient), dx=pack(x.grad))
    case["gradients"] = {name: pack(p.grad) for name, p in module.named_parameters()}
    case["buffers"] = {name: pack(b) for name, b in module.named_buffers()}
    return case
