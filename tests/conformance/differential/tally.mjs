// Counts how the cases went.

const columns = ['agree', 'both refuse', 'not compared', 'a fault of onnxruntime-web', 'ours to mend', 'differ'];

const mostShown = 40;

export class Tally {
  #families = new Map();
  #reasons = new Map();
  #differences = new Map();

  /** Counts a case. `reason`: why it is not compared, or what differs; `text`: everything about it. */
  add(family, name, column, reason, text) {
    const counts = this.#families.get(family) ?? Object.fromEntries(columns.map((each) => [each, 0]));
    counts[column]++;
    this.#families.set(family, counts);
    if (column === 'differ') this.#addDifference(reason, text);
    else if (reason !== undefined) this.#addReason(`${column}: ${reason.slice(0, 160)}`, name);
  }

  #addReason(reason, name) {
    const names = this.#reasons.get(reason) ?? new Map();
    names.set(name, (names.get(name) ?? 0) + 1);
    this.#reasons.set(reason, names);
  }

  /** Of equal differences the shortest text is kept. */
  #addDifference(key, text) {
    const known = this.#differences.get(key) ?? { count: 0, text };
    known.count++;
    if (text.length < known.text.length) known.text = text;
    this.#differences.set(key, known);
  }

  /** How many cases went so. */
  of(column) {
    return [...this.#families.values()].reduce((sum, counts) => sum + counts[column], 0);
  }

  /** What differs, the shortest case of each kind. */
  get failures() {
    const all = [...this.#differences.values()].map(({ count, text }) => `${count} like ${text}`);
    return all.length > mostShown ? [...all.slice(0, mostShown), `and ${all.length - mostShown} more`] : all;
  }

  /** A row per family, and the reasons of what was not compared. */
  print(say) {
    say(['family'.padEnd(12), ...columns].join(' | '));
    const row = (name, of) =>
      say([name.padEnd(12), ...columns.map((each) => String(of(each)).padStart(each.length))].join(' | '));
    for (const [family, counts] of this.#families) row(family, (column) => counts[column]);
    row('all', (column) => this.of(column));
    for (const [reason, names] of [...this.#reasons].sort(([a], [b]) => (a < b ? -1 : 1))) {
      say(`${reason}: ${[...names].map(([name, times]) => `${name} ${times}`).join(', ')}`);
    }
  }
}
