/** Specifications of sizes as code for the editor. */

import type { Dim, DynamicShapes, SizeHint } from 'onemodel';

function boundsCode({ min, max }: { min: number; max: number | undefined }): string {
  const bounds = [min > 0 && `min: ${min}`, max !== undefined && `max: ${max}`].filter(Boolean);
  return bounds.length > 0 ? `{ ${bounds.join(', ')} }` : '';
}

function hintCode(hint: SizeHint): string {
  const bounds = boundsCode(hint);
  return `om.Dim.${hint.kind}${bounds && `(${bounds})`}`;
}

function dimCode(dim: Dim): string {
  const { name, scale, offset } = dim;
  const bounds = boundsCode(dim);
  const product = scale === 1 ? '' : `.mul(${scale})`;
  const sum = offset > 0 ? `.add(${offset})` : `.sub(${-offset})`;
  return `om.Dim('${name}'${bounds && `, ${bounds}`})${product}${offset === 0 ? '' : sum}`;
}

const keyCode = (key: string) => (/^([A-Za-z_$][\w$]*|\d+)$/.test(key) ? key : JSON.stringify(key));

/** An expression that makes `shapes`. */
export function shapesCode(shapes: DynamicShapes): string {
  if (shapes === null || shapes === undefined) return 'null';
  if (typeof shapes === 'number') return String(shapes);
  if (typeof shapes === 'function') return hintCode(shapes);
  if (Array.isArray(shapes)) return `[${shapes.map(shapesCode).join(', ')}]`;
  if (Object.getPrototypeOf(shapes) !== Object.prototype) return dimCode(shapes as Dim);
  const parts = Object.entries(shapes as Record<string, DynamicShapes>);
  return `{ ${parts.map(([key, part]) => `${keyCode(key)}: ${shapesCode(part)}`).join(', ')} }`;
}
