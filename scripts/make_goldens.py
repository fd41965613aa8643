#!/usr/bin/env python3
"""Writes to tests/data/nn what PyTorch computes and declares: goldens.json (modules, losses, functions, optimizers and
schedules), state.safetensors and
reader.safetensors (states of models) and signatures.json.

Needs PyTorch (Debian: apt-get install python3-torch, run with /usr/bin/python3).
"""
import json
import pathlib
import re

import torch

from golden import functions, layers, sequences, signatures, state, training

ROOT = pathlib.Path(__file__).parent.parent
OUT = ROOT / "tests/data/nn"


def declared(kind):
    """The names of that kind that this project has."""
    return re.findall(rf"^{kind}\((\w+)\)", (ROOT / "src/nn/module_list.inc").read_text(), re.MULTILINE)


def without_infinity(value):
    """JSON has no infinity."""
    if isinstance(value, dict):
        return {key: without_infinity(each) for key, each in value.items()}
    return "inf" if value == float("inf") else value


def write(name, value):
    text = json.dumps(without_infinity(value), separators=(",", ":"), allow_nan=False)
    (OUT / name).write_text(text + "\n")


if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    losses = {**training.losses(), **training.more_losses(), **training.ctc_losses()}
    called = {**functions.declared_functions(), **functions.layer_functions()}
    write("goldens.json", {
        "torch": torch.__version__,
        "modules": {**layers.first_layers(), **layers.more_layers(), **layers.adaptive_pools(),
                    **layers.cumulative_norms(), **layers.small_layers()},
        "sequences": {
            **sequences.recurrent_sequences(), **sequences.lengths_sequences(), **sequences.attention_sequences(),
            **sequences.stack_sequences(), **sequences.unbatched_sequences(), **sequences.cell_sequences(),
            **sequences.embedding_sequences()},
        "losses": losses,
        "functions": called,
        "other_functions": functions.other_functions(),
        "saved": state.saved_state(OUT / "state.safetensors"),
        "saved_reader": state.saved_reader(OUT / "reader.safetensors"),
        "optimizers": training.optimizers(),
        "grouped_optimizers": training.grouped_optimizers(),
        "schedules": training.schedules(),
        "grouped_schedules": training.grouped_schedules(),
    })
    names = {*losses, *(case["function"] for case in called.values())}
    write("signatures.json", signatures.signatures(
        declared("MODULE"), sorted(names), declared("OPTIMIZER"), declared("SCHEDULE")))
