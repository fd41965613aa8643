#pragma once
// All layers.

#include "nn/activations.h"
#include "nn/containers.h"
#include "nn/conv.h"
#include "nn/linear.h"
#include "nn/norm.h"
#include "nn/pool.h"
