// What Node must be told to run relaxed SIMD: version 20 wants a flag, newer ones have it always and refuse the flag.
import { spawnSync } from 'node:child_process';

const flag = '--experimental-wasm-relaxed-simd';
export const takesRelaxedFlag = spawnSync(process.execPath, [flag, '--eval', '']).status === 0;

export const relaxedFlags = takesRelaxedFlag ? [flag] : [];
