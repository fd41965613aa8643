"""Modules of several inputs and outputs: recurrent layers, attention, embeddings."""
import torch
from torch import nn

from .common import pack, values


def sequence_case(module, inputs, seed, differentiable=None, average=None):
    """As module_case, for modules of several inputs and outputs; None stands for an absent input. With `average`,
    attention also gives its weights."""
    for i, parameter in enumerate(module.parameters()):
        parameter.data = values(parameter.shape, seed + 10 + i) / 2
    leaves = [x.requires_grad_() if x is not None and x.is_floating_point() and (differentiable is None or i in
              differentiable) else x for i, x in enumerate(inputs)]
    case = {"state": {name: pack(t) for name, t in module.state_dict().items()},
            "inputs": [None if x is None else dict(pack(x), dtype=str(x.dtype).split(".")[1]) for x in leaves]}
    outputs = run_sequence(module, leaves, average)
    gradients = [values(y.shape, seed + 1 + i) for i, y in enumerate(outputs)]
    torch.autograd.backward(outputs, gradients)
    case.update(outputs=[pack(y) for y in outputs], output_gradients=[pack(g) for g in gradients])
    case["input_gradients"] = [None if x is None or not x.requires_grad else pack(x.grad) for x in leaves]
    case["gradients"] = {name: pack(p.grad) for name, p in module.named_parameters()}
    return case


def run_sequence(module, inputs, average):
    if isinstance(module, nn.LSTM):
        y, (h, c) = module(inputs[0], tuple(inputs[1:]) if len(inputs) > 1 else None)
        return [y, h, c]
    if isinstance(module, nn.RNNBase):
        return list(module(*inputs))
    if isinstance(module, nn.MultiheadAttention):
        query, key, value, padding, mask = inputs + [None] * (5 - len(inputs))
        outputs = module(query, key, value, key_padding_mask=padding, attn_mask=mask, need_weights=average is not None,
                         average_attn_weights=bool(average))
        return [y for y in outputs if y is not None]
    return [module(*inputs)]


def recurrent_sequences():
    x = (4, 2, 3)  # steps, batch, inputs
    return {
        "rnn": sequence_case(nn.RNN(3, 2), [values(x, 700)], 701),
        "rnn_relu": sequence_case(nn.RNN(3, 2, nonlinearity="relu", bias=False), [values(x, 710), values((1, 2, 2), 711)],
                                  712),
        "gru": sequence_case(nn.GRU(3, 2), [values(x, 720), values((1, 2, 2), 721)], 722),
        "gru_stacked": sequence_case(nn.GRU(3, 2, num_layers=2, bidirectional=True, batch_first=True),
                                     [values((2, 4, 3), 730), values((4, 2, 2), 731)], 732),
        "lstm": sequence_case(nn.LSTM(3, 2), [values(x, 740)], 741),
        "lstm_states": sequence_case(nn.LSTM(3, 2, bias=False),
                                     [values(x, 750), values((1, 2, 2), 751), values((1, 2, 2), 752)], 753),
        "lstm_stacked": sequence_case(
            nn.LSTM(3, 2, num_layers=2, bidirectional=True, batch_first=True),
            [values((2, 4, 3), 760), values((4, 2, 2), 761), values((4, 2, 2), 762)], 763),
    }


def attention_sequences():
    causal = torch.triu(torch.ones(3, 3, dtype=torch.bool), 1)
    padding = torch.tensor([[False, False, True], [False, False, False]])
    added = values((3, 3), 800)
    encoder = dict(dim_feedforward=5, dropout=0.0)
    return {
        "attention": sequence_case(nn.MultiheadAttention(4, 2), [values((3, 2, 4), s) for s in (801, 802, 803)], 804),
        "attention_masks": sequence_case(
            nn.MultiheadAttention(4, 2, batch_first=True),
            [values((2, 3, 4), s) for s in (811, 812, 813)] + [padding, causal], 814),
        "attention_per_head": sequence_case(
            nn.MultiheadAttention(4, 2, bias=False),
            [values((3, 2, 4), s) for s in (821, 822, 823)] + [None, values((4, 3, 3), 824)], 825, (0, 1, 2)),
        "attention_other_widths": sequence_case(
            nn.MultiheadAttention(4, 2, kdim=3, vdim=2),
            [values((2, 2, 4), 831), values((3, 2, 3), 832), values((3, 2, 2), 833)], 834),
        "attention_weights": sequence_case(
            nn.MultiheadAttention(4, 2), [values((3, 2, 4), s) for s in (880, 881, 882)], 883, average=True),
        "attention_weights_each": sequence_case(
            nn.MultiheadAttention(4, 2, batch_first=True),
            [values((2, 3, 4), s) for s in (890, 891, 892)] + [padding, causal], 893, average=False),
        "encoder_layer": sequence_case(nn.TransformerEncoderLayer(4, 2, **encoder),
                                       [values((3, 2, 4), 840), added.clone()], 841, (0,)),
        "encoder_layer_norm_first": sequence_case(
            nn.TransformerEncoderLayer(4, 2, activation="gelu", batch_first=True, norm_first=True, **encoder),
            [values((2, 3, 4), 850), causal, padding], 851),
        "decoder_layer": sequence_case(nn.TransformerDecoderLayer(4, 2, batch_first=True, **encoder),
                                       [values((2, 3, 4), 860), values((2, 3, 4), 861), causal, None, None, padding], 862),
    }


def embedding_sequences():
    index = torch.tensor([[1, 0, 4], [2, 2, 1]])
    return {
        "embedding": sequence_case(nn.Embedding(5, 3), [index], 870),
        "embedding_padding": sequence_case(nn.Embedding(5, 3, padding_idx=-3), [index], 871),
    }
