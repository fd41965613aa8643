#!/usr/bin/env python3
"""Writes models as PyTorch exports them, with inputs and the outputs that PyTorch gives: make_torch_models.py FOLDER

Needs PyTorch with ONNX (Debian: apt-get install python3-torch python3-onnx, run with /usr/bin/python3), and for resnet18
and mobilenet_v2 torchvision (python3-torchvision). Weights are random, from one seed.

FOLDER/models.json: for each model {"file", "cases": [{"inputs", "outputs"}]}, a tensor being {"file", "dtype", "shape"}
with raw little-endian numbers; or {"skipped": reason}.
"""
import json
import math
import pathlib
import sys

import torch
from torch import nn


class Crnn(nn.Module):
    """Text recognition: convolutions, a two-directional LSTM along the width, letters per column."""

    def __init__(self, height=32, letters=40):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d((2, 1)),
            nn.Conv2d(32, 48, 3, padding=1), nn.ReLU(), nn.MaxPool2d((2, 1)))
        self.rnn = nn.LSTM(48 * (height // 8), 64, num_layers=2, bidirectional=True)
        self.head = nn.Linear(128, letters)

    def forward(self, image):
        x = self.features(image)
        x = x.flatten(1, 2).permute(2, 0, 1)  # [width, batch, channels * height]
        return self.head(self.rnn(x)[0]).log_softmax(2)


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.before_attention, self.before_mlp = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def attention(self, x, mask):
        batch, length, width = x.shape
        split = self.qkv(x).view(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        q, k, v = split[0], split[1], split[2]
        scores = q @ k.transpose(-2, -1) / math.sqrt(width // self.heads)
        weights = scores.masked_fill(mask, float("-inf")).softmax(-1)
        return self.out((weights @ v).transpose(1, 2).reshape(batch, length, width))

    def forward(self, x, mask):
        x = x + self.attention(self.before_attention(x), mask)
        return x + self.mlp(self.before_mlp(x))


class Gpt(nn.Module):
    """A decoder of two blocks over tokens [batch, length]."""

    def __init__(self, tokens=96, width=64, heads=4, longest=64):
        super().__init__()
        self.tokens, self.places = nn.Embedding(tokens, width), nn.Embedding(longest, width)
        self.blocks = nn.ModuleList([Block(width, heads) for _ in range(2)])
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, tokens, bias=False)

    def forward(self, ids):
        length = ids.shape[1]
        mask = torch.ones(length, length, dtype=torch.bool).triu(1)
        x = self.tokens(ids) + self.places(torch.arange(length))
        for block in self.blocks:
            x = block(x, mask)
        return self.head(self.norm(x))


def vision_model(name):
    from torchvision import models

    return getattr(models, name)(weights=None)


def images(*shape):
    return torch.randn(shape)


def ids(*shape):
    return torch.randint(0, 96, shape)


MODELS = {
    "resnet18": (lambda: vision_model("resnet18"), images, [(1, 3, 64, 64), (2, 3, 96, 64)], {0: "n", 2: "h", 3: "w"}),
    "mobilenet_v2": (
        lambda: vision_model("mobilenet_v2"), images, [(1, 3, 64, 64), (2, 3, 64, 96)], {0: "n", 2: "h", 3: "w"}),
    "crnn": (Crnn, images, [(1, 1, 32, 96), (3, 1, 32, 64)], {0: "n", 3: "w"}),
    "gpt": (Gpt, ids, [(1, 12), (2, 33)], {0: "n", 1: "length"}),
}


def write(folder, name, tensor):
    array = tensor.detach().contiguous().numpy()
    (folder / name).write_bytes(array.tobytes())
    return {"file": name, "dtype": str(array.dtype), "shape": list(array.shape)}


def make(folder, name):
    build, draw, shapes, axes = MODELS[name]
    torch.manual_seed(1)
    model = build()
    if draw is images:
        model.train()
        model(draw(4, *shapes[0][1:]))  # statistics of batch normalisation that are not 0 and 1
    model.eval()
    cases = [draw(*shape) for shape in shapes]
    torch.onnx.export(model, cases[0], folder / f"{name}.onnx", input_names=["x"], output_names=["y"],
                      dynamic_axes={"x": axes}, opset_version=17)
    with torch.no_grad():
        return {"file": f"{name}.onnx", "cases": [
            {"inputs": [write(folder, f"{name}_{i}_x.bin", x)], "outputs": [write(folder, f"{name}_{i}_y.bin", model(x))]}
            for i, x in enumerate(cases)]}


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    manifest = {}
    for name in MODELS:
        try:
            manifest[name] = make(folder, name)
        except ModuleNotFoundError as error:
            manifest[name] = {"skipped": str(error)}
    (folder / "models.json").write_text(json.dumps(manifest, indent=1) + "\n")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
