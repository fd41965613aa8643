"""PyTorch's arguments, in order and with their defaults."""
import inspect

import torch
from torch.optim.sgd import required

from .common import nn, signature_of


def arguments(make):
    out = []
    for parameter in inspect.signature(make).parameters.values():
        if parameter.name in ("self", "args", "kwargs", "_stacklevel"):
            continue
        entry = {"name": parameter.name}
        if parameter.default is not inspect.Parameter.empty and parameter.default is not required:
            default = parameter.default
            # An activation is given by its name.
            entry["default"] = default.__name__ if callable(default) else default
        out.append(entry)
    return out


def signatures(modules, functions, optimizers, schedules):
    """By name."""
    functional, optim = torch.nn.functional, torch.optim

    def of(home, names):
        """Those written in Python; others tell no arguments."""
        found = {name: getattr(home, name) for name in names if hasattr(home, name)}
        told = {name: arguments(each) for name, each in found.items() if inspect.isroutine(each) and
                not inspect.isbuiltin(each) or inspect.isclass(each)}
        return {name: each for name, each in told.items() if each}

    return {
        "modules": {name: arguments(signature_of(nn.own.get(name) or getattr(torch.nn, name))) for name in modules},
        "functions": of(functional, functions),
        "optimizers": of(optim, optimizers),
        "schedules": of(optim.lr_scheduler, schedules),
    }
