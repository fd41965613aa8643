"""Modules of one input and one output."""
from .common import module_case, nn, values


def first_layers():
    norm_eval = nn.BatchNorm2d(3, eps=1e-3).eval()
    norm_eval.running_mean = values((3,), 91)
    norm_eval.running_var = values((3,), 92).abs() + 0.5
    image = (2, 4, 6, 5)
    return {
        "linear": module_case(nn.Linear(3, 2), (4, 3), 100),
        "linear_rank3": module_case(nn.Linear(3, 2, bias=False), (2, 4, 3), 110),
        "conv2d": module_case(nn.Conv2d(4, 3, 3), image, 120),
        "conv2d_options": module_case(
            nn.Conv2d(4, 6, (3, 2), stride=(2, 1), padding=(1, 2), dilation=(1, 2), groups=2), image, 130),
        "batch_norm2d": module_case(nn.BatchNorm2d(3), (2, 3, 4, 5), 140),
        "batch_norm2d_momentum": module_case(nn.BatchNorm2d(3, eps=1e-3, momentum=0.3), (2, 3, 1, 2), 150),
        "batch_norm2d_plain": module_case(
            nn.BatchNorm2d(3, affine=False, track_running_stats=False), (2, 3, 2, 2), 155),
        "batch_norm2d_eval": module_case(norm_eval, (2, 3, 4, 5), 160),
        "max_pool2d": module_case(nn.MaxPool2d(2), image, 170),
        "max_pool2d_options": module_case(
            nn.MaxPool2d((3, 2), stride=2, padding=1, ceil_mode=True), image, 180),
        "avg_pool2d": module_case(nn.AvgPool2d(2), image, 190),
        "avg_pool2d_options": module_case(
            nn.AvgPool2d(3, stride=(2, 1), padding=1, ceil_mode=True, count_include_pad=False), image, 200),
        "global_avg_pool2d": module_case(nn.GlobalAvgPool2d(), image, 210),
        "identity": module_case(nn.Identity(), (2, 3), 216),
        "dropout_eval": module_case(nn.Dropout(0.25).eval(), (2, 3), 218),
        "sequential": module_case(
            nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Sequential(nn.Linear(4, 2), nn.Softplus())), (2, 3), 320),
        "flatten": module_case(nn.Flatten(), image, 220),
        "flatten_options": module_case(nn.Flatten(2, 3), image, 225),
        "relu": module_case(nn.ReLU(), (3, 7), 230),
        "leaky_relu": module_case(nn.LeakyReLU(0.2), (3, 7), 240),
        "sigmoid": module_case(nn.Sigmoid(), (3, 7), 250),
        "tanh": module_case(nn.Tanh(), (3, 7), 260),
        "gelu": module_case(nn.GELU(), (3, 7), 270),
        "gelu_tanh": module_case(nn.GELU(approximate="tanh"), (3, 7), 275),
        "hardsigmoid": module_case(nn.Hardsigmoid(), (3, 7), 280),
        "hardswish": module_case(nn.Hardswish(), (3, 7), 290),
        "softmax": module_case(nn.Softmax(1), (3, 4, 2), 300),
        "log_softmax": module_case(nn.LogSoftmax(-1), (3, 7), 310),
    }


def more_layers():
    """One input and one output, beyond the first set."""
    line, volume = (2, 4, 7), (1, 2, 4, 3, 3)
    norm_eval = nn.InstanceNorm1d(4, affine=True, track_running_stats=True).eval()
    norm_eval.running_mean = values((4,), 93)
    norm_eval.running_var = values((4,), 94).abs() + 0.5
    cases = {
        "conv1d": nn.Conv1d(4, 6, 3, stride=2, padding=1, dilation=2, groups=2),
        "conv1d_circular": nn.Conv1d(4, 2, 3, padding=2, padding_mode="circular"),
        "conv1d_same": nn.Conv1d(4, 2, 4, padding="same", bias=False),
        "conv1d_valid": nn.Conv1d(4, 2, 2, stride=2, padding="valid"),
        "max_pool1d_ceil": nn.MaxPool1d(2, stride=2, ceil_mode=True),
        "avg_pool1d_ceil": nn.AvgPool1d(2, stride=2, ceil_mode=True),
        "avg_pool1d_pad": nn.AvgPool1d(3, stride=1, padding=1),
        "rms_norm": nn.RMSNorm(7),
        "rms_norm_options": nn.RMSNorm([4, 7], eps=0.5, elementwise_affine=False),
        "conv_transpose1d": nn.ConvTranspose1d(4, 2, 3, stride=2, padding=1, output_padding=1, groups=2),
        "max_pool1d": nn.MaxPool1d(3, stride=2, padding=1, dilation=2, ceil_mode=True),
        "avg_pool1d": nn.AvgPool1d(3, stride=2, padding=1, count_include_pad=False),
        "batch_norm1d": nn.BatchNorm1d(4),
        "instance_norm1d": nn.InstanceNorm1d(4),
        "instance_norm1d_tracked": nn.InstanceNorm1d(4, affine=True, track_running_stats=True),
        "instance_norm1d_eval": norm_eval,
        "layer_norm": nn.LayerNorm(7),
        "layer_norm_options": nn.LayerNorm([4, 7], eps=1e-3),
        "layer_norm_plain": nn.LayerNorm(7, elementwise_affine=False),
        "group_norm": nn.GroupNorm(2, 4, eps=1e-3),
        "group_norm_plain": nn.GroupNorm(4, 4, affine=False),
        "upsample_linear": nn.Upsample(scale_factor=1.5, mode="linear"),
        "upsample_size": nn.Upsample(size=10),
        "upsample_exact": nn.Upsample(size=10, mode="nearest-exact"),
        "prelu": nn.PReLU(4),
        "glu": nn.GLU(1),
    }
    out = {name: module_case(module, line, 600 + 20 * i) for i, (name, module) in enumerate(cases.items())}
    image = {
        "conv_transpose2d": nn.ConvTranspose2d(2, 2, (3, 2), stride=(2, 1), padding=(1, 0), output_padding=(1, 0)),
        "conv_transpose2d_dilation": nn.ConvTranspose2d(2, 3, 2, dilation=(1, 2), bias=False),
        "conv2d_reflect": nn.Conv2d(2, 2, (2, 3), padding=(1, 2), padding_mode="reflect"),
        "conv2d_replicate_same": nn.Conv2d(2, 2, (4, 3), padding="same", dilation=(1, 2), padding_mode="replicate"),
        "max_pool2d_dilation": nn.MaxPool2d(2, stride=1, padding=(0, 1), dilation=(2, 1)),
        "avg_pool2d_pad": nn.AvgPool2d((3, 2), stride=(2, 1), padding=1, ceil_mode=True),
        "instance_norm2d": nn.InstanceNorm2d(2, affine=True),
        "upsample_nearest": nn.Upsample(scale_factor=2),
        "upsample_bilinear": nn.Upsample(scale_factor=(2, 1.5), mode="bilinear"),
        "upsample_bilinear_corners": nn.Upsample(size=(5, 2), mode="bilinear", align_corners=True),
        "upsample_bicubic": nn.Upsample(size=(3, 7), mode="bicubic"),
        "upsample_bicubic_corners": nn.Upsample(scale_factor=2, mode="bicubic", align_corners=True),
        "adaptive_avg_pool2d": nn.AdaptiveAvgPool2d(1),
    }
    out.update({name: module_case(module, (1, 2, 4, 3), 1000 + 20 * i) for i, (name, module) in enumerate(image.items())})
    solid = {
        "conv3d": nn.Conv3d(2, 2, (2, 1, 3), stride=(1, 2, 1), padding=(1, 0, 1)),
        "max_pool3d": nn.MaxPool3d(2, stride=1, padding=(1, 0, 1)),
        "avg_pool3d": nn.AvgPool3d((2, 3, 1), stride=(1, 2, 1), padding=(1, 0, 0)),
        "conv3d_circular": nn.Conv3d(2, 1, (1, 2, 3), padding=(1, 0, 1), padding_mode="circular"),
        "conv_transpose3d": nn.ConvTranspose3d(
            2, 4, (2, 1, 3), stride=(2, 1, 1), padding=(1, 0, 1), output_padding=(1, 0, 0), groups=2, dilation=(1, 1, 2)),
        "instance_norm3d": nn.InstanceNorm3d(2, affine=True, track_running_stats=True),
        "max_pool3d_options": nn.MaxPool3d((2, 1, 2), stride=(3, 2, 2), dilation=(2, 1, 1), ceil_mode=True),
        "avg_pool3d_options": nn.AvgPool3d(2, padding=1, ceil_mode=True, count_include_pad=False),
        "batch_norm3d": nn.BatchNorm3d(2),
        "upsample_trilinear": nn.Upsample(size=(3, 4, 2), mode="trilinear"),
    }
    out.update({name: module_case(module, volume, 1200 + 20 * i) for i, (name, module) in enumerate(solid.items())})
    smooth = {
        "silu": nn.SiLU(), "mish": nn.Mish(), "selu": nn.SELU(), "softsign": nn.Softsign(), "log_sigmoid": nn.LogSigmoid(),
        "relu6": nn.ReLU6(), "elu": nn.ELU(0.5), "celu": nn.CELU(2.0), "softplus": nn.Softplus(2.0),
        "hardtanh": nn.Hardtanh(-0.5, 0.75),
    }
    out.update({name: module_case(module, (3, 5), 1300 + 20 * i) for i, (name, module) in enumerate(smooth.items())})
    return out


def cumulative_norms():
    """Statistics without momentum, of the first batch and after others."""
    cases = {
        "batch_norm1d_cumulative": (nn.BatchNorm1d(4, momentum=None), (3, 4), 0),
        "batch_norm2d_cumulative": (nn.BatchNorm2d(3, momentum=None), (2, 3, 2, 2), 3),
        "batch_norm3d_cumulative": (nn.BatchNorm3d(2, eps=1e-3, momentum=None, affine=False), (2, 2, 2, 1, 2), 6),
        "batch_norm2d_cumulative_eval": (nn.BatchNorm2d(3, momentum=None), (1, 3, 2, 2), 2),
    }
    out = {}
    for i, (name, (module, shape, batches)) in enumerate(cases.items()):
        for batch in range(batches):
            module(values(shape, 1500 + 20 * i + batch) * (batch + 1))
        out[name] = module_case(module.train(not name.endswith("eval")), shape, 1580 + 20 * i)
    return out


def small_layers():
    """Pads, dropout of channels, thresholds and forms; and inputs without a batch."""
    line, image, solid = (2, 4, 7), (2, 4, 5, 3), (1, 2, 3, 4, 2)
    tracked = nn.InstanceNorm2d(4, affine=True, track_running_stats=True).eval()
    tracked.running_mean, tracked.running_var = values((4,), 95), values((4,), 96).abs() + 0.5
    solid_tracked = nn.InstanceNorm3d(2, track_running_stats=True).eval()
    solid_tracked.running_mean, solid_tracked.running_var = values((2,), 97), values((2,), 98).abs() + 0.5
    cases = {
        "zero_pad2d": (nn.ZeroPad2d((1, 2, 0, -1)), image),
        "constant_pad1d": (nn.ConstantPad1d(2, 0.5), line),
        "constant_pad2d": (nn.ConstantPad2d((1, 0, 2, 1), -1.5), image),
        "constant_pad3d": (nn.ConstantPad3d(1, 0.25), solid),
        "reflection_pad1d": (nn.ReflectionPad1d((2, 3)), line),
        "reflection_pad2d": (nn.ReflectionPad2d(1), image[1:]),
        "reflection_pad3d": (nn.ReflectionPad3d((1, 0, 2, 1, 0, 1)), solid),
        "replication_pad1d": (nn.ReplicationPad1d(2), line),
        "replication_pad2d": (nn.ReplicationPad2d((1, 0, 2, 3)), image),
        "replication_pad3d": (nn.ReplicationPad3d(1), solid),
        "dropout1d_eval": (nn.Dropout1d(0.25).eval(), line),
        "dropout2d_eval": (nn.Dropout2d(0.25).eval(), image),
        "dropout3d_eval": (nn.Dropout3d(0.25).eval(), solid),
        "threshold": (nn.Threshold(0.25, -2.0), line),
        "hardshrink": (nn.Hardshrink(0.75), line),
        "softshrink": (nn.Softshrink(0.75), line),
        "softmin": (nn.Softmin(1), line),
        "pixel_shuffle": (nn.PixelShuffle(2), image),
        "pixel_shuffle_unbatched": (nn.PixelShuffle(2), image[1:]),
        "unflatten": (nn.Unflatten(1, (2, 2)), image),
        "unflatten_rest": (nn.Unflatten(-1, (-1, 7, 1)), line),
        "batch_norm1d_plain": (nn.BatchNorm1d(4), (5, 4)),
        "instance_norm2d_tracked": (tracked, image),
        "instance_norm3d_tracked": (solid_tracked, solid),
        "conv1d_unbatched": (nn.Conv1d(4, 3, 2), line[1:]),
        "conv2d_unbatched": (nn.Conv2d(4, 3, 2, padding=1, padding_mode="reflect"), image[1:]),
        "conv3d_unbatched": (nn.Conv3d(2, 3, 2), solid[1:]),
        "conv_transpose2d_unbatched": (nn.ConvTranspose2d(4, 3, 2), image[1:]),
        "max_pool1d_unbatched": (nn.MaxPool1d(2), line[1:]),
        "max_pool2d_unbatched": (nn.MaxPool2d(2), image[1:]),
        "max_pool3d_unbatched": (nn.MaxPool3d((2, 1, 2)), solid[1:]),
        "avg_pool1d_unbatched": (nn.AvgPool1d(2), line[1:]),
        "avg_pool2d_unbatched": (nn.AvgPool2d(2), image[1:]),
        "avg_pool3d_unbatched": (nn.AvgPool3d((2, 1, 2)), solid[1:]),
        "adaptive_avg_pool2d_unbatched": (nn.AdaptiveAvgPool2d((2, 3)), image[1:]),
        "instance_norm1d_unbatched": (nn.InstanceNorm1d(4, affine=True), line[1:]),
        "instance_norm2d_unbatched": (nn.InstanceNorm2d(4), image[1:]),
    }
    return {name: module_case(module, shape, 2300 + 20 * i) for i, (name, (module, shape)) in enumerate(cases.items())}


def adaptive_pools():
    """Windows that divide the axis, overlap, are the axis or its elements, and are more than its elements."""
    line, image = (2, 4, 7), (2, 3, 6, 5)
    return {
        "adaptive_avg_pool1d": module_case(nn.AdaptiveAvgPool1d(3), line, 1600),
        "adaptive_avg_pool1d_one": module_case(nn.AdaptiveAvgPool1d(1), line, 1610),
        "adaptive_avg_pool1d_more": module_case(nn.AdaptiveAvgPool1d(10), line, 1620),
        "adaptive_avg_pool2d_even": module_case(nn.AdaptiveAvgPool2d((3, 5)), image, 1630),
        "adaptive_avg_pool2d_overlap": module_case(nn.AdaptiveAvgPool2d((4, 2)), image, 1640),
        "adaptive_avg_pool2d_row": module_case(nn.AdaptiveAvgPool2d((1, 3)), image, 1650),
        "adaptive_avg_pool2d_mixed": module_case(nn.AdaptiveAvgPool2d(3), image, 1660),
        "adaptive_avg_pool2d_more": module_case(nn.AdaptiveAvgPool2d((7, 6)), image, 1670),
        "adaptive_avg_pool3d": module_case(nn.AdaptiveAvgPool3d((2, 3, 1)), (1, 2, 4, 3, 5), 1680),
        "adaptive_max_pool1d": module_case(nn.AdaptiveMaxPool1d(3), line, 1682),
        "adaptive_max_pool2d": module_case(nn.AdaptiveMaxPool2d((3, 2)), image, 1684),
        "adaptive_max_pool2d_unbatched": module_case(nn.AdaptiveMaxPool2d(1), image[1:], 1686),
        "adaptive_max_pool3d": module_case(nn.AdaptiveMaxPool3d((2, 3, 1)), (1, 2, 4, 3, 5), 1688),
    }
