/** Errors of modules learn where in the model they were thrown. */

import { OneModelError } from '../errors.js';
import { native } from '../native.js';
import { engineTextOf, retell } from '../script_names.js';
import type { Module } from './module.js';
import { joinPath } from './paths.js';

/** Where an error was thrown: at `path` below `module`, the last one that it left. */
interface Place {
  module: Module;
  path: string;
  /** What the error says without the path. */
  text: string;
  /** Its message as it was last seen: its catcher may have put words of its own before it. */
  message: string;
}

const places = new WeakMap<object, Place>();

/** How many calls are under way in which the engine knows the paths of modules and names them itself. */
let tracked = 0;

/** Runs `fn`, in which the engine is told of every call of a module. */
export function whileTracked<R>(fn: () => R): R {
  tracked++;
  try {
    return fn();
  } finally {
    tracked--;
  }
}

/** As the engine names modules. */
const pathMark = /module '([^']*)'/;

/** `path` without that of the modules of a program around it, which call script in the place of one of them. */
function belowScript(path: string): string {
  const around = native().modulePath();
  if (around === '') return path;
  return path.startsWith(`${around}.`) ? path.slice(around.length + 1) : '';
}

/** The place of an error that no module has seen: the engine may know a path below one of its own modules. */
function firstPlace({ message }: Error, module: Module): Place {
  const [mark = '', path = ''] = (tracked > 0 ? null : /^module '([^']*)': /.exec(message)) ?? [];
  return { module, path: path && belowScript(path), text: message.slice(mark.length), message };
}

/** The place of an error that leaves `module` after another one; null: it stays. */
function outerPlace(place: Place, module: Module): Place | null {
  if (place.module === module) return null;
  const below = module.namedModules().find(([, each]) => each === place.module)?.[0];
  if (below !== undefined) return { ...place, module, path: joinPath(below, place.path) };
  return place.path === '' ? { ...place, module } : null; // one that is not below counts as a part of its caller
}

/** Makes `error`, which leaves `module`, tell its path from there. What is no error of the engine keeps its message. */
function tell(error: Error, module: Module): void {
  const known = places.get(error);
  if (!known && 'modulePath' in error) return;
  const place = known ? outerPlace(known, module) : firstPlace(error, module);
  if (!place) return;
  places.set(error, place);
  const isOwn = error instanceof OneModelError;
  const named = isOwn && tracked > 0 ? pathMark.exec(engineTextOf(error)) : null;
  const value = named?.[1] ?? place.path;
  if (!isOwn && value === '') return;
  Reflect.defineProperty(error, 'modulePath', { value, enumerable: true, configurable: true, writable: true });
  if (!isOwn || named) return;
  if (error.message !== place.message) place.text = error.message;
  place.message = value === '' ? place.text : `module '${value}': ${place.text}`;
  if (error.message !== place.message) retell(error, place.message);
}

/** As `tell`, for whatever a call of `module` threw. */
export function tellPlace(error: unknown, module: Module): void {
  try {
    if (error instanceof Error) tell(error, module);
  } catch {
    // No stack is left, or a field cannot be read: the error itself is what matters.
  }
}
