"""Losses, optimizers and learning-rate schedules."""
import torch
from torch import nn

from .common import pack, values


def loss_case(function, x, target, reductions=("mean", "sum", "none"), of_target=True):
    """With the target's gradient where it may have one."""
    of_target = of_target and target.is_floating_point()
    case = {"x": pack(x), "target": pack(target)}
    for reduction in reductions:
        leaf, wanted = x.clone().requires_grad_(), target.clone().requires_grad_(of_target)
        loss = function(leaf, wanted, reduction=reduction)
        loss.sum().backward()
        case[reduction] = pack(loss)
        case["dx_" + reduction] = pack(leaf.grad)
        if wanted.requires_grad:
            case["dtarget_" + reduction] = pack(wanted.grad)
    return case


def losses():
    functional = nn.functional
    probabilities = torch.softmax(values((4, 3), 401), 1)
    return {
        "mse_loss": loss_case(functional.mse_loss, values((4, 3), 402), values((4, 3), 403)),
        "cross_entropy": loss_case(functional.cross_entropy, 8 * values((4, 3), 404), torch.tensor([2, 0, 1, 2])),
        "cross_entropy_images": loss_case(
            functional.cross_entropy, values((2, 3, 2, 2), 405), torch.tensor([[[0, 1], [2, 1]], [[1, 0], [2, 2]]])),
        "cross_entropy_probabilities": loss_case(functional.cross_entropy, values((4, 3), 406), probabilities),
    }


def more_losses():
    functional = nn.functional
    pair = lambda seed: (values((4, 3), seed), values((4, 3), seed + 1))
    classes, image = torch.tensor([2, 0, -100, 2]), torch.tensor([[[0, 1], [2, 1]], [[1, 7], [2, 2]]])
    weight = torch.tensor([0.5, 2.0, 0.75])
    unit = lambda seed: torch.sigmoid(values((4, 3), seed))
    return {
        "l1_loss": loss_case(functional.l1_loss, *pair(420)),
        "smooth_l1_loss": loss_case(lambda *a, **k: functional.smooth_l1_loss(*a, beta=0.5, **k), *pair(422)),
        "huber_loss": loss_case(lambda *a, **k: functional.huber_loss(*a, delta=0.75, **k), *pair(424)),
        "binary_cross_entropy": loss_case(functional.binary_cross_entropy, unit(426), unit(427)),
        "binary_cross_entropy_with_logits": loss_case(
            lambda *a, **k: functional.binary_cross_entropy_with_logits(*a, pos_weight=weight, **k), 4 * values((4, 3), 428),
            unit(429)),
        "binary_cross_entropy_weight": loss_case(
            lambda *a, **k: functional.binary_cross_entropy(*a, weight=weight, **k), unit(460), unit(461)),
        "binary_cross_entropy_with_logits_weight": loss_case(
            lambda *a, **k: functional.binary_cross_entropy_with_logits(*a, weight=weight, **k), 4 * values((4, 3), 462),
            unit(463)),
        "kl_div": loss_case(functional.kl_div, torch.log_softmax(values((4, 3), 430), 1), torch.relu(values((4, 3), 431)),
                            ("mean", "batchmean", "sum", "none"), of_target=False),  # which is infinite at 0
        "kl_div_positive": loss_case(functional.kl_div, torch.log_softmax(values((4, 3), 439), 1), unit(440)),
        "kl_div_log": loss_case(lambda *a, **k: functional.kl_div(*a, log_target=True, **k), *pair(432)),
        "nll_loss": loss_case(
            functional.nll_loss, torch.log_softmax(values((4, 3), 465), 1), torch.tensor([2, 0, 1, 2])),
        "nll_loss_options": loss_case(
            lambda *a, **k: functional.nll_loss(*a, weight=weight, ignore_index=7, **k),
            torch.log_softmax(values((2, 3, 2, 2), 434), 1), image),
        "cross_entropy_options": loss_case(
            lambda *a, **k: functional.cross_entropy(*a, weight=weight, label_smoothing=0.25, **k), values((4, 3), 435),
            classes),
        "cross_entropy_smoothing": loss_case(
            lambda *a, **k: functional.cross_entropy(*a, label_smoothing=0.25, ignore_index=7, **k),
            values((2, 3, 2, 2), 436), image),
        "cross_entropy_probabilities_options": loss_case(
            lambda *a, **k: functional.cross_entropy(*a, weight=weight, label_smoothing=0.25, **k), values((4, 3), 437),
            torch.softmax(values((4, 3), 438), 1)),
        **losses_of_one_place(weight),
    }


def losses_of_one_place(weight):
    """Scores [C] without a batch."""
    functional, scores = nn.functional, lambda seed: values((3,), seed)
    options = dict(weight=weight, label_smoothing=0.25)
    return {
        "nll_loss_one": loss_case(
            lambda *a, **k: functional.nll_loss(*a, weight=weight, **k), torch.log_softmax(scores(470), 0), torch.tensor(1)),
        "cross_entropy_one": loss_case(functional.cross_entropy, scores(471), torch.tensor(2)),
        "cross_entropy_one_options": loss_case(
            lambda *a, **k: functional.cross_entropy(*a, **options, **k), scores(472), torch.tensor(1)),
        "cross_entropy_one_probabilities": loss_case(
            lambda *a, **k: functional.cross_entropy(*a, **options, **k), scores(473), torch.softmax(scores(474), 0)),
    }


def ctc_case(targets, input_lengths, target_lengths, seed, **options):
    """Gradients by the logits below a log_softmax."""
    functional = nn.functional
    logits, targets = values((6, 3, 4), seed), torch.tensor(targets)
    case = {"x": pack(logits), "target": pack(targets), "input_lengths": input_lengths, "target_lengths": target_lengths}
    for reduction in ("mean", "sum", "none"):
        leaf = logits.clone().requires_grad_()
        loss = functional.ctc_loss(
            torch.log_softmax(leaf, 2), targets, input_lengths, target_lengths, reduction=reduction, **options)
        loss.sum().backward()
        case[reduction] = pack(loss)
        case["dx_" + reduction] = pack(leaf.grad)
    return case


def ctc_losses():
    """The second has another blank, and an input of 2 steps for 3 labels."""
    return {
        "ctc_loss": ctc_case([[1, 2, 2], [3, 1, 0], [2, 2, 2]], [6, 5, 3], [3, 1, 2], 450),
        "ctc_loss_options": ctc_case([[1, 2, 2], [0, 1, 0], [2, 2, 2]], [6, 5, 2], [3, 2, 3], 451, blank=3,
                                     zero_infinity=True),
        "ctc_loss_joined": ctc_case([1, 2, 2, 3, 2, 2], [6, 5, 3], [3, 1, 2], 452),
    }


def schedule_case(make, steps, **arguments):
    optimizer = torch.optim.SGD([torch.zeros(1)], lr=0.4)
    return [rates[0] for rates in schedule_run(optimizer, make, steps, "lr", **arguments)[0]]


def schedule_run(optimizer, make, steps, *options, **arguments):
    """For each option its values by step and group."""
    schedule = make(optimizer, **arguments)
    out = [[] for _ in options]
    for _ in range(steps):
        for name, seen in zip(options, out):
            seen.append([group[name] for group in optimizer.param_groups])
        optimizer.step()
        schedule.step()
    return out


def grouped_schedules():
    """Rates and momenta of two groups."""
    module = torch.optim.lr_scheduler
    groups = lambda: [{"params": [torch.zeros(1)], "lr": 0.4}, {"params": [torch.zeros(1)], "lr": 0.1}]
    sgd = lambda: torch.optim.SGD(groups(), lr=0.4, momentum=0.9)
    adam = lambda: torch.optim.Adam(groups(), lr=0.4)
    return {
        "multi_step": schedule_run(sgd(), module.MultiStepLR, 8, "lr", "momentum", milestones=[2, 3, 6], gamma=0.5),
        "linear": schedule_run(sgd(), module.LinearLR, 5, "lr", "momentum", start_factor=0.5, total_iters=3),
        "one_cycle": schedule_run(sgd(), module.OneCycleLR, 10, "lr", "momentum", max_lr=[1.0, 0.5], total_steps=10),
        "one_cycle_linear": schedule_run(
            sgd(), module.OneCycleLR, 12, "lr", "momentum", max_lr=1.0, total_steps=12, pct_start=0.4,
            anneal_strategy="linear", three_phase=True, base_momentum=0.5, max_momentum=0.75, div_factor=10,
            final_div_factor=100),
        "one_cycle_betas": schedule_run(adam(), module.OneCycleLR, 10, "lr", "betas", max_lr=1.0, total_steps=10),
    }


def schedules():
    module = torch.optim.lr_scheduler
    return {
        "step": schedule_case(module.StepLR, 7, step_size=3, gamma=0.5),
        "cosine": schedule_case(module.CosineAnnealingLR, 7, T_max=5, eta_min=0.1),
        "linear": schedule_case(module.LinearLR, 7, start_factor=0.25, total_iters=4),
        "one_cycle": schedule_case(module.OneCycleLR, 9, max_lr=1.0, total_steps=10, cycle_momentum=False),
    }


def optimizer_case(make, arguments, steps=3):
    parameter = values((2, 3), 500).requires_grad_()
    optimizer = make([parameter], **arguments)
    case = {"arguments": arguments, "parameter": pack(parameter), "gradients": [], "after": []}
    for step in range(steps):
        parameter.grad = values((2, 3), 501 + step)
        case["gradients"].append(pack(parameter.grad))
        optimizer.step()
        case["after"].append(pack(parameter))
    return case


def optimizers():
    sgd, adam = torch.optim.SGD, torch.optim.Adam
    return {
        "sgd": optimizer_case(sgd, dict(lr=0.1)),
        "sgd_momentum": optimizer_case(sgd, dict(lr=0.1, momentum=0.9)),
        "sgd_dampening": optimizer_case(sgd, dict(lr=0.1, momentum=0.9, dampening=0.5)),
        "sgd_nesterov": optimizer_case(sgd, dict(lr=0.1, momentum=0.9, nesterov=True)),
        "sgd_weight_decay": optimizer_case(sgd, dict(lr=0.1, momentum=0.8, weight_decay=0.2, nesterov=True)),
        "adam": optimizer_case(adam, dict(lr=0.1)),
        "adam_amsgrad": optimizer_case(adam, dict(lr=0.1, betas=[0.5, 0.5], amsgrad=True)),
        "adam_options": optimizer_case(adam, dict(lr=0.05, betas=[0.8, 0.9], eps=1e-3, weight_decay=0.2)),
        "adamw": optimizer_case(torch.optim.AdamW, dict(lr=0.1)),
        "adamw_amsgrad": optimizer_case(torch.optim.AdamW, dict(lr=0.1, betas=[0.5, 0.5], amsgrad=True)),
        "adamw_options": optimizer_case(torch.optim.AdamW, dict(lr=0.05, betas=[0.8, 0.9], eps=1e-3, weight_decay=0.5)),
        "rmsprop": optimizer_case(torch.optim.RMSprop, dict(lr=0.1)),
        "rmsprop_options": optimizer_case(
            torch.optim.RMSprop, dict(lr=0.1, alpha=0.8, eps=1e-3, weight_decay=0.2, momentum=0.5, centered=True)),
        "rmsprop_centered": optimizer_case(torch.optim.RMSprop, dict(lr=0.1, centered=True)),
        "adagrad": optimizer_case(torch.optim.Adagrad, dict(lr=0.1)),
        "adagrad_options": optimizer_case(
            torch.optim.Adagrad, dict(lr=0.1, lr_decay=0.5, weight_decay=0.2, initial_accumulator_value=0.3, eps=1e-3)),
    }


def grouped_optimizer_case(make, first, second, arguments, steps=3):
    """Two parameters, each in a group with options that replace `arguments`."""
    parameters = [values((2, 3), 520).requires_grad_(), values((4,), 521).requires_grad_()]
    optimizer = make([dict(first, params=[parameters[0]]), dict(second, params=[parameters[1]])], **arguments)
    case = {"groups": [dict(arguments, **first), dict(arguments, **second)],
            "parameters": [pack(p) for p in parameters], "gradients": [], "after": []}
    for step in range(steps):
        for i, parameter in enumerate(parameters):
            parameter.grad = values(parameter.shape, 530 + 2 * step + i)
        case["gradients"].append([pack(p.grad) for p in parameters])
        optimizer.step()
        case["after"].append([pack(p) for p in parameters])
    return case


def grouped_optimizers():
    module = torch.optim
    return {
        "sgd": grouped_optimizer_case(module.SGD, dict(momentum=0.9), dict(lr=0.01, weight_decay=0.5), dict(lr=0.1)),
        "adam": grouped_optimizer_case(module.Adam, dict(), dict(lr=0.01, betas=[0.8, 0.9]), dict(lr=0.1)),
        "adamw": grouped_optimizer_case(module.AdamW, dict(weight_decay=0.0), dict(lr=0.01), dict(lr=0.1)),
        "rmsprop": grouped_optimizer_case(module.RMSprop, dict(centered=True), dict(momentum=0.5), dict(lr=0.1)),
        "adagrad": grouped_optimizer_case(module.Adagrad, dict(lr_decay=0.5), dict(lr=0.01), dict(lr=0.1)),
    }
