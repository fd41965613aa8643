/** The header: what runs, why not more, and what is in memory. */

import type { Environment, Memory } from 'onemodel';
import type { EngineClient } from '../engine_client';
import type { Download } from '../protocol';
import { byId, bytesText, element } from './dom';

function showNotice(kind: 'warn' | 'bad', title: string, text: string): void {
  const notice = byId('notice');
  notice.hidden = false;
  notice.className = `note ${kind}`;
  notice.replaceChildren(element('strong', {}, title), ` ${text}`);
}

export function downloadText({ received, total }: Download): string {
  return total > 0 ? `${bytesText(received)} of ${bytesText(total)}` : bytesText(received);
}

export function showDownload({ received, total }: Download): void {
  byId('variant').textContent = total > 0 ? `loading ${Math.round((100 * received) / total)} %` : 'loading…';
}

export function showEnvironment({ variant, threads, threadsReason, simdReason }: Environment): void {
  byId('variant').textContent = variant;
  byId('variant').title = simdReason ?? 'relaxed SIMD: fused multiply-add';
  byId('threads').textContent = String(threads);
  byId('threads').title = threadsReason ?? '';
  if (threads === 1 && threadsReason !== null) showNotice('warn', 'One thread:', `${threadsReason}.`);
}

export function showStartFailure(error: unknown): void {
  byId('variant').textContent = 'failed';
  const message = error instanceof Error ? error.message : String(error);
  showNotice('bad', 'The engine did not start:', `${message}. Reload the page to try again.`);
}

/** "3 tensors, 2 modules, …": what `om.memory()` counts. */
function countsText({ bytes: _bytes, heapBytes: _heapBytes, ...counts }: Memory): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

export function watchMemory(engine: EngineClient, everyMilliseconds = 700): void {
  const look = async () => {
    try {
      const memory = await engine.call((api) => api.memory());
      byId('memory-tensors').textContent = String(memory.tensors);
      byId('memory-bytes').textContent = bytesText(memory.bytes);
      byId('memory-heap').textContent = bytesText(memory.heapBytes);
      byId('memory').title = countsText(memory);
    } catch {
      // The worker is being replaced: the next look finds the new one.
    }
    setTimeout(look, everyMilliseconds);
  };
  void look();
}
