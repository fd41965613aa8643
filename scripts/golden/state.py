"""A model's state as PyTorch saves it: a safetensors file, written by the format's definition."""
import json
import struct

import torch

from .common import nn, pack, values

DTYPES = {torch.float32: "F32", torch.int64: "I64"}


def saved_state(path):
    """Writes the file and returns how to make the model, an input and the output in evaluation mode."""
    torch.manual_seed(7)
    model = nn.Sequential(
        nn.Conv2d(1, 2, 3, padding=1), nn.BatchNorm2d(2), nn.ReLU(), nn.Flatten(), nn.Linear(32, 3, bias=False))
    model(values((5, 1, 4, 4), 2000))  # so that the running statistics are not those of the start
    header, data = {}, b""
    for name, tensor in model.state_dict().items():
        raw = tensor.numpy().tobytes()
        header[name] = {"dtype": DTYPES[tensor.dtype], "shape": list(tensor.shape),
                        "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
    model.eval()
    x = values((2, 1, 4, 4), 2001)
    return {**model.golden, "x": pack(x), "y": pack(model(x))}
