#pragma once
// All layers.

#include "nn/activations.h"
#include "nn/batch_norm.h"
#include "nn/containers.h"
#include "nn/conv_layers.h"
#include "nn/embedding.h"
#include "nn/layer_norm.h"
#include "nn/linear.h"
#include "nn/norm.h"
#include "nn/pool.h"
#include "nn/pool_layers.h"
#include "nn/rectifiers.h"
#include "nn/recurrent.h"
#include "nn/transformer.h"
