"""Losses, optimizers and learning-rate schedules."""
import torch
from torch import nn

from .common import pack, values


def loss_case(function, x, target):
    case = {"x": pack(x), "target": pack(target)}
    for reduction in ("mean", "sum", "none"):
        leaf = x.clone().requires_grad_()
        loss = function(leaf, target, reduction=reduction)
        loss.sum().backward()
        case[reduction] = pack(loss)
        case["dx_" + reduction] = pack(leaf.grad)
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
        "kl_div": loss_case(functional.kl_div, torch.log_softmax(values((4, 3), 430), 1), torch.relu(values((4, 3), 431))),
        "kl_div_log": loss_case(lambda *a, **k: functional.kl_div(*a, log_target=True, **k), *pair(432)),
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
    }


def ctc_case():
    """Gradients by the logits below a log_softmax."""
    functional = nn.functional
    logits, targets = values((6, 3, 4), 450), torch.tensor([[1, 2, 2], [3, 1, 0], [2, 2, 2]])
    lengths = [[6, 5, 3], [3, 1, 2]]
    case = {"x": pack(logits), "target": pack(targets), "input_lengths": lengths[0], "target_lengths": lengths[1]}
    for reduction in ("mean", "sum", "none"):
        leaf = logits.clone().requires_grad_()
        loss = functional.ctc_loss(torch.log_softmax(leaf, 2), targets, *lengths, reduction=reduction)
        loss.sum().backward()
        case[reduction] = pack(loss)
        case["dx_" + reduction] = pack(leaf.grad)
    return case


def schedule_case(make, steps, **arguments):
    optimizer = torch.optim.SGD([torch.zeros(1)], lr=0.4)
    schedule = make(optimizer, **arguments)
    rates = []
    for _ in range(steps):
        rates.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        schedule.step()
    return rates


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
        "adam_options": optimizer_case(adam, dict(lr=0.05, betas=[0.8, 0.9], eps=1e-3, weight_decay=0.2)),
        "adamw": optimizer_case(torch.optim.AdamW, dict(lr=0.1)),
        "adamw_options": optimizer_case(torch.optim.AdamW, dict(lr=0.05, betas=[0.8, 0.9], eps=1e-3, weight_decay=0.5)),
        "rmsprop": optimizer_case(torch.optim.RMSprop, dict(lr=0.1)),
        "rmsprop_options": optimizer_case(
            torch.optim.RMSprop, dict(lr=0.1, alpha=0.8, eps=1e-3, weight_decay=0.2, momentum=0.5, centered=True)),
        "rmsprop_centered": optimizer_case(torch.optim.RMSprop, dict(lr=0.1, centered=True)),
        "adagrad": optimizer_case(torch.optim.Adagrad, dict(lr=0.1)),
        "adagrad_options": optimizer_case(
            torch.optim.Adagrad, dict(lr=0.1, lr_decay=0.5, weight_decay=0.2, initial_accumulator_value=0.3, eps=1e-3)),
    }
