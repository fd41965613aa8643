type Items<T> = Readonly<Record<string, T | readonly T[] | null>>;

const isList = <T>(item: T | readonly T[]): item is readonly T[] => Array.isArray(item);

/** The tensors of results by name; those of a sequence are "y[0]", "y[1]" and so on, and nothing is none. */
export const tensorsOf = <T>(items: Items<T>): [string, T][] =>
  Object.entries(items).flatMap(([name, item]): [string, T][] => {
    if (item === null) return [];
    return isList(item) ? item.map((each, i) => [`${name}[${i}]`, each]) : [[name, item]];
  });
