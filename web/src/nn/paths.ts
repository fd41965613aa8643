/** Paths of modules and tensors: names with dots between them. */

/** `inner` below `outer`; either may be empty, which is the module itself. */
export const joinPath = (outer: string, inner: string) => (outer && inner ? `${outer}.${inner}` : outer || inner);
