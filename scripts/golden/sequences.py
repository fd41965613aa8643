"""Modules of several inputs and outputs: recurrent layers, attention, embeddings."""
import torch
from torch.nn.utils import rnn

from .common import described, nn, pack, values


def sequence_case(module, inputs, seed, differentiable=None, average=None):
    """As module_case, for modules of several inputs and outputs; None stands for an absent input. With `average`,
    attention also gives its weights."""
    for i, parameter in enumerate(module.parameters()):
        parameter.data = values(parameter.shape, seed + 10 + i) / 2
    leaves = [x.requires_grad_() if x is not None and x.is_floating_point() and (differentiable is None or i in
              differentiable) else x for i, x in enumerate(inputs)]
    case = described(module)
    case["inputs"] = [None if x is None else dict(pack(x), dtype=str(x.dtype).split(".")[1]) for x in leaves]
    outputs = run_sequence(module, leaves, average)
    gradients = [values(y.shape, seed + 1 + i) for i, y in enumerate(outputs)]
    torch.autograd.backward(outputs, gradients)
    case.update(outputs=[pack(y) for y in outputs], output_gradients=[pack(g) for g in gradients])
    case["input_gradients"] = [None if x is None or not x.requires_grad else pack(x.grad) for x in leaves]
    case["gradients"] = {name: pack(p.grad) for name, p in module.named_parameters()}
    return case


def run_sequence(module, inputs, average):
    if isinstance(module, torch.nn.RNNBase):
        return run_recurrent(module, inputs)
    if isinstance(module, torch.nn.MultiheadAttention):
        query, key, value, padding, mask = inputs + [None] * (5 - len(inputs))
        outputs = module(query, key, value, key_padding_mask=padding, attn_mask=mask, need_weights=average is not None,
                         average_attn_weights=bool(average))
        return [y for y in outputs if y is not None]
    if isinstance(module, torch.nn.LSTMCell):
        return list(module(inputs[0], tuple(inputs[1:]) or None))
    if isinstance(module, torch.nn.Transformer):
        return [run_transformer(module, *inputs)]
    return [module(*inputs)]


def run_transformer(module, src, tgt, *masks):
    """In the order of the project, which is PyTorch's."""
    names = ("src_mask", "tgt_mask", "memory_mask", "src_key_padding_mask", "tgt_key_padding_mask",
             "memory_key_padding_mask")
    return module(src, tgt, **dict(zip(names, masks)))


def run_recurrent(module, inputs):
    """Lengths, which come last, make a packed sequence of the input."""
    lengths = inputs[-1] if not inputs[-1].is_floating_point() else None
    x, states = inputs[0], inputs[1:] if lengths is None else inputs[1:-1]
    if isinstance(module, torch.nn.LSTM):
        first = tuple(states) or None
    else:
        first = states[0] if states else None
    if lengths is None:
        y, last = module(x, first)
    else:
        packed = rnn.pack_padded_sequence(x, lengths, module.batch_first, enforce_sorted=False)
        y, last = module(packed, first)
        y, _ = rnn.pad_packed_sequence(y, module.batch_first, total_length=x.shape[1 if module.batch_first else 0])
    return [y, *last] if isinstance(last, tuple) else [y, last]


def lengths_sequences():
    """Rows of fewer steps than the input has."""
    x, batch_first = (5, 3, 3), (3, 5, 3)
    lengths = torch.tensor([3, 5, 1])
    both = dict(num_layers=2, bidirectional=True, batch_first=True)
    return {
        "rnn_lengths": sequence_case(nn.RNN(3, 2, nonlinearity="relu"), [values(x, 900), lengths], 901),
        "gru_lengths": sequence_case(nn.GRU(3, 2, bidirectional=True),
                                     [values(x, 910), values((2, 3, 2), 911), lengths], 912),
        "lstm_lengths": sequence_case(nn.LSTM(3, 2), [values(x, 920), lengths], 921),
        "gru_lengths_stacked": sequence_case(nn.GRU(3, 2, **both), [values(batch_first, 930), lengths], 931),
        "lstm_lengths_stacked": sequence_case(
            nn.LSTM(3, 2, **both),
            [values(batch_first, 940), values((4, 3, 2), 941), values((4, 3, 2), 942), lengths], 943),
    }


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
        "attention_bias_kv": sequence_case(
            nn.MultiheadAttention(4, 2, add_bias_kv=True, batch_first=True),
            [values((2, 3, 4), s) for s in (960, 961, 962)] + [padding, causal], 963),
        "attention_zero": sequence_case(
            nn.MultiheadAttention(4, 2, add_bias_kv=True, add_zero_attn=True),
            [values((3, 2, 4), s) for s in (970, 971, 972)], 973),
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


def stack_sequences():
    """The transformer's stacks and the whole of it."""
    causal = torch.triu(torch.ones(3, 3, dtype=torch.bool), 1)
    padding = torch.tensor([[False, False, True], [False, False, False]])
    layer = dict(dim_feedforward=5, dropout=0.0)
    first = dict(layer, batch_first=True, norm_first=True)
    whole = dict(d_model=4, nhead=2, num_encoder_layers=1, num_decoder_layers=2, **layer)
    return {
        "encoder": sequence_case(
            nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, **layer), 2), [values((3, 2, 4), 3004)], 3005),
        "encoder_norm": sequence_case(
            nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, **first), 2, nn.LayerNorm(4)),
            [values((2, 3, 4), 3010), causal, padding], 3011),
        "decoder": sequence_case(
            nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, **first), 2, nn.LayerNorm(4)),
            [values((2, 3, 4), 3020), values((2, 3, 4), 3021), causal, None, None, padding], 3022),
        "transformer": sequence_case(
            nn.Transformer(**whole), [values((3, 2, 4), 3030), values((2, 2, 4), 3031)], 3032),
        "transformer_masks": sequence_case(
            nn.Transformer(activation="gelu", batch_first=True, norm_first=True, **whole),
            [values((2, 3, 4), 3040), values((2, 3, 4), 3041), None, causal, None, padding, None, padding], 3042),
    }


def unbatched_sequences():
    """Without a batch; masks and states likewise."""
    causal = torch.triu(torch.ones(3, 3, dtype=torch.bool), 1)
    padding = torch.tensor([False, False, True])
    layer = dict(dim_feedforward=5, dropout=0.0)
    both = dict(num_layers=2, bidirectional=True, batch_first=True)
    x = (4, 3)
    return {
        "rnn_unbatched": sequence_case(nn.RNN(3, 2), [values(x, 3100)], 3101),
        "gru_unbatched": sequence_case(nn.GRU(3, 2, **both), [values(x, 3102), values((4, 2), 3103)], 3104),
        "lstm_unbatched": sequence_case(
            nn.LSTM(3, 2), [values(x, 3106), values((1, 2), 3107), values((1, 2), 3108)], 3109),
        "attention_unbatched": sequence_case(
            nn.MultiheadAttention(4, 2), [values((3, 4), s) for s in (3110, 3111, 3112)] + [padding, causal], 3113),
        "attention_weights_unbatched": sequence_case(
            nn.MultiheadAttention(4, 2), [values((3, 4), s) for s in (3120, 3121, 3122)], 3123, average=True),
        "attention_weights_unbatched_each": sequence_case(
            nn.MultiheadAttention(4, 2, batch_first=True),
            [values((3, 4), s) for s in (3124, 3125, 3126)] + [None, values((2, 3, 3), 3127)], 3128, (0, 1, 2),
            average=False),
        "encoder_layer_unbatched": sequence_case(
            nn.TransformerEncoderLayer(4, 2, **layer), [values((3, 4), 3130), causal, padding], 3131),
        "decoder_layer_unbatched": sequence_case(
            nn.TransformerDecoderLayer(4, 2, batch_first=True, **layer),
            [values((3, 4), 3140), values((3, 4), 3141), causal, None, None, padding], 3142),
    }


def cell_sequences():
    x, h = (3, 4), (3, 2)
    return {
        "rnn_cell": sequence_case(nn.RNNCell(4, 2), [values(x, 3200)], 3201),
        "rnn_cell_relu": sequence_case(
            nn.RNNCell(4, 2, bias=False, nonlinearity="relu"), [values(x, 3202), values(h, 3203)], 3204),
        "gru_cell": sequence_case(nn.GRUCell(4, 2), [values(x, 3206), values(h, 3207)], 3208),
        "gru_cell_unbatched": sequence_case(nn.GRUCell(4, 2), [values(x[1:], 3210), values(h[1:], 3211)], 3212),
        "lstm_cell": sequence_case(nn.LSTMCell(4, 2), [values(x, 3214), values(h, 3215), values(h, 3216)], 3217),
        "lstm_cell_unbatched": sequence_case(nn.LSTMCell(4, 2, bias=False), [values(x[1:], 3220)], 3221),
    }


def embedding_sequences():
    index = torch.tensor([[1, 0, 4], [2, 2, 1]])
    return {
        "embedding": sequence_case(nn.Embedding(5, 3), [index], 870),
        "embedding_padding": sequence_case(nn.Embedding(5, 3, padding_idx=-3), [index], 871),
    }
