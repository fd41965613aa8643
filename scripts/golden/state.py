"""A model's state as PyTorch saves it: a safetensors file, written by the format's definition."""
import json
import struct

import torch

from .common import nn, pack, values

DTYPES = {torch.float32: "F32", torch.int64: "I64"}


def write(path, state):
    header, data = {}, b""
    for name, tensor in state.items():
        raw = tensor.numpy().tobytes()
        header[name] = {"dtype": DTYPES[tensor.dtype], "shape": list(tensor.shape),
                        "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def saved_state(path):
    """Writes the file and returns how to make the model, an input and the output in evaluation mode."""
    torch.manual_seed(7)
    model = nn.Sequential(
        nn.Conv2d(1, 2, 3, padding=1), nn.BatchNorm2d(2), nn.ReLU(), nn.Flatten(), nn.Linear(32, 3, bias=False))
    model(values((5, 1, 4, 4), 2000))  # so that the running statistics are not those of the start
    write(path, model.state_dict())
    model.eval()
    x = values((2, 1, 4, 4), 2001)
    return {**model.golden, "x": pack(x), "y": pack(model(x))}


class Reader(torch.nn.Module):
    """Parts of text models under names of their own; the tests write it anew."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(7, 4, padding_idx=0)
        self.memory = nn.LSTM(4, 3, num_layers=2, bidirectional=True, batch_first=True)
        self.attention = nn.MultiheadAttention(6, 2, batch_first=True)
        self.encoder = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(6, 3, dim_feedforward=5, batch_first=True), 2, nn.LayerNorm(6))

    def forward(self, words):
        y, _ = self.memory(self.words(words))
        y, _ = self.attention(y, y, y, need_weights=False)
        return self.encoder(y)


def saved_reader(path):
    """Writes the state of a Reader, and returns an input and the output in evaluation mode."""
    torch.manual_seed(8)
    model = Reader()
    with torch.no_grad():  # biases of attention are 0 at first, and copied layers the same
        for i, parameter in enumerate(model.parameters()):
            parameter += values(parameter.shape, 2010 + i) / 8
    write(path, model.state_dict())
    model.eval()
    words = torch.tensor([[3, 1, 6, 0], [2, 2, 5, 4]])
    return {"x": {**pack(words), "dtype": "int64"}, "y": pack(model(words))}
