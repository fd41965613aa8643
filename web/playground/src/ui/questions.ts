/** When the sections below the training ask the model. */

/** Answers questions one at a time: while an answer is due, only the newest question waits. */
export class Questions {
  readonly #answer: () => Promise<void>;
  #answering = false;
  #waiting = false;

  constructor(answer: () => Promise<void>) {
    this.#answer = answer;
  }

  ask(): void {
    this.#waiting = true;
    if (!this.#answering) void this.#work();
  }

  async #work(): Promise<void> {
    this.#answering = true;
    while (this.#waiting) {
      this.#waiting = false;
      await this.#answer();
    }
    this.#answering = false;
  }
}

/** Lets something happen at most once in so many milliseconds. */
export function seldom(milliseconds: number, action: () => void): () => void {
  let next = 0;
  return () => {
    const now = performance.now();
    if (now < next) return;
    next = now + milliseconds;
    action();
  };
}
