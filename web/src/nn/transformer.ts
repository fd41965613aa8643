/** Stacks of the transformer's layers, and the whole of it. */

import { checkedOptions, integerOf, unexpected } from '../arguments.js';
import { full, rand } from '../create.js';
import { triu } from '../functions.js';
import { LayerNorm, TransformerDecoderLayer, TransformerEncoderLayer } from '../generated/modules.js';
import { scope } from '../memory.js';
import type { Tensor } from '../tensor.js';
import { ModuleList } from './containers.js';
import { Module } from './module.js';

/** A mask of PyTorch's: true where a key must not be seen, or what is added to its score; null for none. */
type Mask = Tensor | null;
type Layer = TransformerEncoderLayer | TransformerDecoderLayer;

/** What the two stacks share. */
abstract class Stack<L extends Layer> extends Module {
  /** Layers named "0", "1", …. */
  readonly layers: ModuleList<L>;
  /** What comes last. */
  readonly norm: Module | null;

  /** @internal */
  constructor(kind: new (...args: never[]) => L, layer: L, numLayers: number, options: { norm?: Module | null }) {
    super();
    const { name } = new.target;
    const { norm = null } = checkedOptions(name, options, ['norm']);
    if (!(layer instanceof kind)) throw unexpected(`${name}: the layer`, `a ${kind.name}`, layer);
    if (norm !== null && !(norm instanceof Module)) throw unexpected(`${name}: norm`, 'a module', norm);
    const count = integerOf(`${name}: numLayers`, numLayers, 1);
    this.layers = new ModuleList(Array.from({ length: count }, () => layer.copy())) as unknown as ModuleList<L>;
    this.norm = norm;
  }

  /** @internal Each layer on the output of the one before, with the same other inputs; then the norm. */
  protected run(input: Tensor, others: readonly Mask[]): Tensor {
    let x = input;
    for (const layer of this.layers) x = layer.forward(x, ...others);
    return (this.norm?.forward(x) as Tensor | undefined) ?? x;
  }
}

/** `numLayers` layers with the arguments and values of the one given, which stays the caller's, then `norm` where there is one. */
export class TransformerEncoder extends Stack<TransformerEncoderLayer> {
  /** Throws ArgumentError for another layer, and fewer than one of them. */
  constructor(encoderLayer: TransformerEncoderLayer, numLayers: number, options: { norm?: Module | null } = {}) {
    super(TransformerEncoderLayer, encoderLayer, numLayers, options);
  }

  /** The computation of src [steps, batch, dModel], or batch first, of whose shape it is. Throws as its layers do. */
  override forward(src: Tensor, mask: Mask = null, srcKeyPaddingMask: Mask = null): Tensor {
    return this.run(src, [mask, srcKeyPaddingMask]);
  }
}

/** `numLayers` layers with the arguments and values of the one given, which stays the caller's, then `norm` where there is one. */
export class TransformerDecoder extends Stack<TransformerDecoderLayer> {
  /** Throws ArgumentError for another layer, and fewer than one of them. */
  constructor(decoderLayer: TransformerDecoderLayer, numLayers: number, options: { norm?: Module | null } = {}) {
    super(TransformerDecoderLayer, decoderLayer, numLayers, options);
  }

  /** The computation of tgt [steps, batch, dModel], of whose shape it is, and memory, an encoder's output. Throws as its layers do. */
  override forward(
    tgt: Tensor,
    memory: Tensor,
    tgtMask: Mask = null,
    memoryMask: Mask = null,
    tgtKeyPaddingMask: Mask = null,
    memoryKeyPaddingMask: Mask = null,
  ): Tensor {
    return this.run(tgt, [memory, tgtMask, memoryMask, tgtKeyPaddingMask, memoryKeyPaddingMask]);
  }
}

/** What a Transformer is made of. */
export interface TransformerOptions {
  /** Extent of the inputs' last axis; 512. */
  dModel?: number;
  /** Heads of the attention; 8. */
  nhead?: number;
  /** Layers of the encoder; 6. */
  numEncoderLayers?: number;
  /** Layers of the decoder; 6. */
  numDecoderLayers?: number;
  /** Width of the two linear layers between; 2048. */
  dimFeedforward?: number;
  /** Probability of dropout; 0.1. */
  dropout?: number;
  /** relu or gelu; "relu". */
  activation?: 'relu' | 'gelu';
  /** A module in the encoder's place. */
  customEncoder?: Module | null;
  /** A module in the decoder's place. */
  customDecoder?: Module | null;
  /** Added to the variance; 1e-5. */
  layerNormEps?: number;
  /** Whether the batch comes before the steps; false. */
  batchFirst?: boolean;
  /** Whether normalisation comes before each part; false. */
  normFirst?: boolean;
  /** Whether biases are added; true. */
  bias?: boolean;
}

const layerOptions = ['dimFeedforward', 'dropout', 'activation', 'layerNormEps', 'batchFirst', 'normFirst', 'bias'];
const ownOptions = ['dModel', 'nhead', 'numEncoderLayers', 'numDecoderLayers', 'customEncoder', 'customDecoder'];

/** Frees `made`, of which only copies are needed, once `use` is through. */
function passing<M extends Module, R>(made: M, use: (made: M) => R): R {
  try {
    return use(made);
  } finally {
    made.dispose();
  }
}

/** An encoder and a decoder, each with a norm at its end. */
export class Transformer extends Module {
  /** What makes memory of src. */
  readonly encoder: Module;
  /** What makes the output of tgt and memory. */
  readonly decoder: Module;

  /** Weights of two axes are Xavier-uniform. Throws ArgumentError for options out of range. */
  constructor(options: TransformerOptions = {}) {
    super();
    const given = checkedOptions('Transformer', options, [...ownOptions, ...layerOptions]);
    const { dModel = 512, nhead = 8, numEncoderLayers = 6, numDecoderLayers = 6 } = given;
    const entries = Object.entries(given).filter(([name]) => layerOptions.includes(name));
    const shared = Object.fromEntries(entries) as ConstructorParameters<typeof TransformerEncoderLayer>[2];
    const { layerNormEps: eps = 1e-5, bias = true } = given;
    const norm = () => new LayerNorm(dModel, { eps, bias });
    this.encoder =
      given.customEncoder ??
      passing(
        new TransformerEncoderLayer(dModel, nhead, shared),
        (layer) => new TransformerEncoder(layer, numEncoderLayers, { norm: norm() }),
      );
    this.decoder =
      given.customDecoder ??
      passing(
        new TransformerDecoderLayer(dModel, nhead, shared),
        (layer) => new TransformerDecoder(layer, numDecoderLayers, { norm: norm() }),
      );
    for (const weight of this.parameters()) if (weight.rank === 2) fillXavierUniform(weight);
  }

  /** The output for src and tgt, of the shape of tgt; null stands for no mask. Throws as its layers do. */
  override forward(
    src: Tensor,
    tgt: Tensor,
    srcMask: Mask = null,
    tgtMask: Mask = null,
    memoryMask: Mask = null,
    srcKeyPaddingMask: Mask = null,
    tgtKeyPaddingMask: Mask = null,
    memoryKeyPaddingMask: Mask = null,
  ): Tensor {
    const { encoder, decoder } = this as { encoder: Module; decoder: Module };
    const memory = encoder.forward(src, srcMask, srcKeyPaddingMask);
    return decoder.forward(tgt, memory, tgtMask, memoryMask, tgtKeyPaddingMask, memoryKeyPaddingMask) as Tensor;
  }

  /** [size, size]: 0 on and below the diagonal, minus infinity above, so that no step sees a later one. */
  static generateSquareSubsequentMask(size: number): Tensor {
    return scope(() => triu(full([size, size], Number.NEGATIVE_INFINITY), 1));
  }
}

/** Glorot and Bengio, "Understanding the difficulty of training deep feedforward neural networks" (2010). */
function fillXavierUniform(weight: Tensor): void {
  const [outs, ins] = weight.shape as [number, number];
  const bound = Math.sqrt(6 / (ins + outs));
  scope(() => {
    weight.copyFrom(rand([outs, ins], -bound, bound));
  });
}
