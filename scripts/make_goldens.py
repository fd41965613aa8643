#!/usr/bin/env python3
"""Writes tests/data/nn/goldens.json: modules, losses, optimizers and schedules as PyTorch computes them.

Needs PyTorch (Debian: apt-get install python3-torch, run with /usr/bin/python3).
"""
import json
import pathlib

import torch

from golden import layers, sequences, training

OUT = pathlib.Path(__file__).parent.parent / "tests/data/nn/goldens.json"

if __name__ == "__main__":
    goldens = {
        "torch": torch.__version__,
        "modules": {**layers.first_layers(), **layers.more_layers(), **layers.adaptive_pools()},
        "sequences": {
            **sequences.recurrent_sequences(), **sequences.attention_sequences(), **sequences.embedding_sequences()},
        "losses": {**training.losses(), **training.more_losses(), **training.ctc_losses()},
        "optimizers": training.optimizers(),
        "grouped_optimizers": training.grouped_optimizers(),
        "schedules": training.schedules(),
        "grouped_schedules": training.grouped_schedules(),
    }
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps(goldens, separators=(",", ":")) + "\n")
