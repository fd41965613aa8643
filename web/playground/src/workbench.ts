/** What the sections share: the engine, the code, and whether the worker has a model of it. */

import type { EngineClient } from './engine_client';
import type { Preparation } from './protocol';

export class Workbench {
  readonly engine: EngineClient;
  readonly #code: () => string;
  #prepared: Preparation | null = null;
  #preparing: Promise<Preparation> | null = null;
  #listeners: ((prepared: Preparation | null) => void)[] = [];

  constructor(engine: EngineClient, code: () => string) {
    this.engine = engine;
    this.#code = code;
  }

  get prepared(): Preparation | null {
    return this.#prepared;
  }

  /** Told when the worker got a new model, or lost the one it had. */
  onPrepared(listener: (prepared: Preparation | null) => void): void {
    this.#listeners.push(listener);
  }

  #announce(prepared: Preparation | null): void {
    this.#prepared = prepared;
    for (const listener of this.#listeners) listener(prepared);
  }

  /** The worker's model, made now from the code when there is none. */
  async ensurePrepared(): Promise<Preparation> {
    if (this.#prepared) return this.#prepared;
    return this.#preparing ?? this.prepare();
  }

  /** A new model from the code, with new weights. */
  prepare(): Promise<Preparation> {
    this.#announce(null);
    const preparing = this.engine.call((api) => api.prepare(this.#code()));
    this.#preparing = preparing;
    const isNewest = () => this.#preparing === preparing;
    return preparing
      .then((prepared) => {
        if (isNewest()) this.#announce(prepared);
        return prepared;
      })
      .finally(() => {
        if (isNewest()) this.#preparing = null;
      });
  }

  /** The worker was replaced. */
  lose(): void {
    this.#preparing = null;
    this.#announce(null);
  }

  /** Another example was chosen: the worker frees what it has of this one. */
  forget(): void {
    if (this.#prepared || this.#preparing) void this.engine.call((api) => api.forget()).catch(() => {});
    this.lose();
  }
}
