/** Optimizers and schedules, with what they extend. */

export * from './generated/optimizers.js';
export { Optimizer } from './optimizer.js';
