/** Evaluates the text of the editor as a module, in which 'onemodel' and 'playground' can be imported. */

import * as om from 'onemodel';

/** A module that exports the entries of a global object. */
function globalModule(globalName: string, entries: object): string {
  const names = Object.keys(entries); // which may be words of the language (`om.var`)
  (globalThis as Record<string, unknown>)[globalName] = entries;
  const values = names.map((name, i) => `${name}: _${i}`).join(', ');
  const exported = names.map((name, i) => `_${i} as ${name}`).join(', ');
  const code = `const { ${values} } = globalThis.${globalName}; export { ${exported} };`;
  return URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
}

let addresses: Record<string, string> | undefined;

export function provideModules(playground: object): void {
  addresses = {
    onemodel: globalModule('onemodelPackage', om),
    playground: globalModule('playgroundPackage', playground),
  };
}

/** The names stay on their lines, so that line numbers in errors are those of the editor. */
function withAddresses(code: string): string {
  return code.replace(
    /(\bfrom\s*|\bimport\s+)(['"])(onemodel|playground)\2/g,
    (_all, keyword: string, _quote, name) => `${keyword}'${addresses?.[name as string]}'`,
  );
}

export async function evaluateModule(code: string): Promise<Record<string, unknown>> {
  const url = URL.createObjectURL(new Blob([withAddresses(code)], { type: 'text/javascript' }));
  try {
    return (await import(/* @vite-ignore */ url)) as Record<string, unknown>;
  } finally {
    URL.revokeObjectURL(url);
  }
}
