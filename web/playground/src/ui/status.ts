/** The header: what runs, why not more, and what is in memory. */

import type { Environment } from 'onemodel';
import type { EngineClient } from '../engine_client';
import { byId, bytesText } from './dom';

export function showEnvironment({ variant, threads, threadsReason, simdReason }: Environment): void {
  byId('variant').textContent = variant;
  byId('variant').title = simdReason ?? 'relaxed SIMD: fused multiply-add';
  byId('threads').textContent = String(threads);
  const notice = byId('threads-reason');
  notice.hidden = threadsReason === null;
  notice.textContent = threadsReason === null ? '' : `One thread: ${threadsReason}.`;
}

export function showStartFailure(error: unknown): void {
  byId('variant').textContent = 'failed';
  const notice = byId('threads-reason');
  notice.hidden = false;
  notice.textContent = `The engine did not start: ${error instanceof Error ? error.message : String(error)}`;
}

export function watchMemory(engine: EngineClient, everyMilliseconds = 700): void {
  const look = async () => {
    try {
      const { tensors, bytes, heapBytes } = await engine.call((api) => api.memory());
      byId('memory-tensors').textContent = String(tensors);
      byId('memory-bytes').textContent = bytesText(bytes);
      byId('memory-heap').textContent = bytesText(heapBytes);
    } catch {
      // The worker is being replaced: the next look finds the new one.
    }
    setTimeout(look, everyMilliseconds);
  };
  void look();
}
