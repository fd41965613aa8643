import { scope } from '../memory.js';
import type { Tensor } from '../tensor.js';

/** The elements as numbers, in row-major order. */
export const numbersOf = (tensor: Tensor): Float64Array => scope(() => tensor.cast('float64').data as Float64Array);
