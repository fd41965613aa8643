/** NumPy's .npy files, versions 1 to 3. */

import { arrayType, type DType, type TypedArray } from '../dtype.js';
import { ModelError } from '../errors.js';

/** An array: its elements in row-major order, bool as 0 and 1, float16 as its bits. */
export interface NpyArray {
  dtype: DType;
  shape: readonly number[];
  data: TypedArray<ArrayBuffer>;
}

const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
const mostHeaderBytes = 1 << 16;
const mostAxes = 32;

const descriptions: Readonly<Record<string, DType>> = {
  f2: 'float16',
  f4: 'float32',
  f8: 'float64',
  i1: 'int8',
  i2: 'int16',
  i4: 'int32',
  i8: 'int64',
  u1: 'uint8',
  u2: 'uint16',
  u4: 'uint32',
  u8: 'uint64',
  b1: 'bool',
};

function malformed(what: string): never {
  throw new ModelError(`the .npy file ${what}`, 'Malformed');
}

function unsupported(what: string): never {
  throw new ModelError(`the .npy file ${what}`, 'Unsupported');
}

/** The header's text, and where the elements begin. */
function readPreamble(file: Uint8Array): { header: string; start: number } {
  if (!magic.every((byte, i) => file[i] === byte)) malformed('does not begin as NumPy files do');
  if (file.length < 12) malformed('is cut off');
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const version = file[6] as number;
  if (version < 1 || version > 3) unsupported(`has version ${version}, expected 1 to 3`);
  const start = version === 1 ? 10 : 12;
  const length = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (length > mostHeaderBytes) malformed(`has a header of ${length} bytes, at most ${mostHeaderBytes} are read`);
  if (length > file.length - start) malformed('is cut off in its header');
  const header = new TextDecoder().decode(file.subarray(start, start + length));
  return { header, start: start + length };
}

const entry = /\s*'(descr|fortran_order|shape)'\s*:\s*('[^']*'|True|False|\([\d,\s]*\)|\[[^\]]*\])\s*(?:,|$)/y;

/** The three entries of the header, which is the text of a Python dictionary. Nothing else may be in it. */
function readEntries(header: string): Record<'descr' | 'fortran_order' | 'shape', string> {
  const inner = /^\s*\{(.*)\}\s*$/s.exec(header)?.[1]?.trim() ?? malformed('has a header that is no dictionary');
  const found: Record<string, string> = {};
  entry.lastIndex = 0;
  while (entry.lastIndex < inner.length) {
    const match = entry.exec(inner) ?? malformed(`has a header that cannot be read: ${inner.slice(0, 100)}`);
    const [, name, text] = match as unknown as [string, string, string];
    if (Object.hasOwn(found, name)) malformed(`gives '${name}' twice`);
    found[name] = text;
  }
  for (const name of ['descr', 'fortran_order', 'shape']) {
    if (!Object.hasOwn(found, name)) malformed(`has a header without '${name}'`);
  }
  return found as Record<'descr' | 'fortran_order' | 'shape', string>;
}

function readDtype(text: string): DType {
  const [, order, name] = /^'([<>=|]?)(\w+)'$/.exec(text) ?? unsupported(`has elements of type ${text}`);
  const dtype = Object.hasOwn(descriptions, name as string) ? descriptions[name as string] : undefined;
  if (!dtype) unsupported(`has elements of type ${text}, expected one of ${Object.keys(descriptions).join(', ')}`);
  const isOneByte = arrayType(dtype).BYTES_PER_ELEMENT === 1;
  if (order === '>' && !isOneByte) unsupported(`is big-endian (${text})`);
  if (order !== '<' && !isOneByte) malformed(`does not say the order of its bytes (${text})`);
  return dtype;
}

function readShape(text: string): number[] {
  if (!/^\((\s*\d+\s*,)*\s*\d*\s*\)$/.test(text)) malformed(`has no shape but ${text.slice(0, 100)}`);
  const shape = [...text.matchAll(/\d+/g)].map(Number);
  if (shape.length > mostAxes) malformed(`has ${shape.length} axes, at most ${mostAxes} are read`);
  if (shape.length === 1 && !text.includes(',')) malformed(`has no shape but ${text}`);
  return shape;
}

/** How many elements; refused when that cannot be counted exactly. */
function sizeOf(shape: readonly number[]): number {
  const size = shape.reduce((product, extent) => product * extent, 1);
  if (!Number.isSafeInteger(size) || !shape.every(Number.isSafeInteger)) malformed(`has impossible sizes: [${shape}]`);
  return size;
}

/** The elements that lie in column-major order, in row-major order. */
function rowMajor(data: TypedArray<ArrayBuffer>, shape: readonly number[]): TypedArray<ArrayBuffer> {
  const strides = shape.map((_, axis) => shape.slice(0, axis).reduce((product, extent) => product * extent, 1));
  const out = data.slice();
  const index = shape.map(() => 0);
  let from = 0;
  for (let to = 0; to < out.length; to++) {
    out[to] = data[from] as never;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      from += strides[axis] as number;
      index[axis] = (index[axis] as number) + 1;
      if ((index[axis] as number) < (shape[axis] as number)) break;
      from -= (strides[axis] as number) * (shape[axis] as number);
      index[axis] = 0;
    }
  }
  return out;
}

/**
 * The array in a .npy file. Throws ModelError: Malformed for what is no such file, also when its length is not what type and
 * shape make, Unsupported for big-endian numbers, structures, objects, text and complex numbers.
 */
export function readNpy(file: Uint8Array): NpyArray {
  const { header, start } = readPreamble(file);
  const entries = readEntries(header);
  const dtype = readDtype(entries.descr);
  const shape = readShape(entries.shape);
  if (!/^(True|False)$/.test(entries.fortran_order)) malformed(`has fortran_order ${entries.fortran_order}`);
  const ArrayType = arrayType(dtype) as unknown as new (buffer: ArrayBuffer) => TypedArray<ArrayBuffer>;
  const expected = sizeOf(shape) * arrayType(dtype).BYTES_PER_ELEMENT;
  const got = file.length - start;
  if (got !== expected) malformed(`holds ${got} bytes of elements, ${dtype} [${shape}] has ${expected}`);
  const stored = new ArrayType(new Uint8Array(file.subarray(start)).buffer);
  if (dtype === 'bool') for (let i = 0; i < stored.length; i++) stored[i] = stored[i] ? 1 : 0;
  const data = entries.fortran_order === 'True' ? rowMajor(stored, shape) : stored;
  return { dtype, shape, data };
}

/** A .npy file of version 1. Throws ModelError(Unsupported) for bfloat16, which NumPy does not have. */
export function writeNpy({ dtype, shape, data }: NpyArray): Uint8Array {
  const name = Object.keys(descriptions).find((each) => descriptions[each] === dtype);
  if (!name) unsupported(`cannot hold ${dtype}`);
  const order = arrayType(dtype).BYTES_PER_ELEMENT === 1 ? '|' : '<';
  const extents = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const text = `{'descr': '${order}${name}', 'fortran_order': False, 'shape': (${extents}), }`;
  const start = Math.ceil((magic.length + 4 + text.length + 1) / 64) * 64;
  const file = new Uint8Array(start + data.byteLength).fill(0x20, 0, start);
  file.set([...magic, 1, 0]);
  new DataView(file.buffer).setUint16(8, start - 10, true);
  file.set(new TextEncoder().encode(text), 10);
  file[start - 1] = 0x0a;
  file.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), start);
  return file;
}
