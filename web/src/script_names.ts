/** Names of arguments in errors: the engine spells them as C++ and ONNX do, callers in script as JavaScript does. */

import { makeError, OneModelError } from './errors.js';
import { setMessage } from './stack.js';

/** "kernel_shape" -> "kernelShape", "T_max" -> "tMax": as the generated functions and classes spell it. */
export function scriptName(name: string): string {
  const joined = name.replace(/(?<=.)_(.)/g, (_, letter: string) => letter.toUpperCase());
  return joined.charAt(0).toLowerCase() + joined.slice(1);
}

const engineTexts = new WeakMap<object, string>();

/** What the engine said where an error was spelled anew: by this it knows the error again. */
export function engineTextOf(error: Error): string {
  return engineTexts.get(error) ?? error.message;
}

/** Gives the error another message, in its stack too; the engine still knows it again. */
export function retell(error: OneModelError, message: string): void {
  engineTexts.set(error, engineTextOf(error));
  setMessage(error, message);
}

/** The error with another message, which the engine still knows again. */
function retold(error: OneModelError, message: string): OneModelError {
  const again = makeError(error.name, error.kind, message);
  engineTexts.set(again, engineTextOf(error));
  return again;
}

/** The error with what `pattern` finds in its message replaced; itself when that is nothing. */
function replacing(error: unknown, pattern: RegExp, replacement: (found: string) => string): unknown {
  if (!(error instanceof OneModelError)) return error;
  const message = error.message.replace(pattern, replacement);
  return message === error.message ? error : retold(error, message);
}

/** Finds those of `names` that script spells otherwise; null: there are none. */
function patternOf(names: readonly string[], spell = scriptName): RegExp | null {
  const spelled = names.filter((name) => spell(name) !== name);
  return spelled.length === 0 ? null : new RegExp(`(?<![\\w./])(?:${spelled.join('|')})(?![\\w./])`, 'g');
}

/** A text of the engine with each of `names` as script spells it. */
export function inScriptNames(text: string, names: readonly string[]): string {
  const pattern = patternOf(names);
  return pattern ? text.replace(pattern, scriptName) : text;
}

/** Options as the engine describes what has them: "Linear(in_features=4)". */
const describedOption = /\b[A-Za-z]\w*(?==)/g;

/** "Linear(in_features=4)" -> "Linear(inFeatures=4)". */
export function withScriptOptions(text: string): string {
  return text.replace(describedOption, scriptName);
}

/** Runs `call`; its errors describe what has options as `withScriptOptions` does. */
export function spellingOptions<R>(call: () => R): R {
  try {
    return call();
  } catch (error) {
    throw replacing(error, describedOption, scriptName);
  }
}

/** The error with each of `names`, which are the engine's, as script spells it. Other words, such as paths, stay. */
export function withScriptNames(error: unknown, names: readonly string[], spell = scriptName): unknown {
  const pattern = patternOf(names, spell);
  return pattern ? replacing(error, pattern, spell) : error;
}

/** Runs `call`; its errors say `name` where the engine says `engineName`, a function. */
export function renaming<R>(engineName: string, name: string, call: () => R): R {
  try {
    return call();
  } catch (error) {
    throw replacing(error, new RegExp(`(?<![\\w./'])(?:${engineName})(?=[: ])`, 'g'), () => name);
  }
}

/** Runs `call`; its errors are as `withScriptNames` makes them. */
export function spellingNames<R>(names: readonly string[], call: () => R, spell = scriptName): R {
  try {
    return call();
  } catch (error) {
    throw withScriptNames(error, names, spell);
  }
}

/** Texts of the caller, which stay, or a name of several words. */
const textOrName = /"[^"]*"|(?:module|got) '[^']*'|\b[A-Za-z][A-Za-z0-9]*(?:_[a-z0-9]+)+\b/g;

/** Runs `call`, which takes arguments of the engine; its errors name them as script does. */
export function spellingArguments<R>(call: () => R): R {
  try {
    return call();
  } catch (error) {
    throw replacing(error, textOrName, (found) => (/["']/.test(found) ? found : scriptName(found)));
  }
}
