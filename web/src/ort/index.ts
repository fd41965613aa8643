/// <reference lib="esnext.disposable" preserve="true" />
/**
 * The engine behind the API of ONNX Runtime: `InferenceSession` and `Tensor` are those of onnxruntime-common.
 *
 * ```ts
 * import { InferenceSession, Tensor } from 'onemodel/ort';
 * ```
 */

import * as common from 'onnxruntime-common';
import { register } from './backend.js';

register(common);

export * from 'onnxruntime-common';
export type { OrtModule } from './backend.js';
export type { OneModelProviderOption } from './options.js';
export { common as default, register };

/**
 * Puts `InferenceSession`, `Tensor` and `env` where transformers.js looks for a runtime when it is loaded:
 * `globalThis[Symbol.for('onnxruntime')]`. `import 'onemodel/ort/global'` before it does the same.
 */
export function installGlobal(): void {
  Object.assign(globalThis, { [Symbol.for('onnxruntime')]: common });
}
