/** One input of a model whose sizes only its content tells: a tensor of any rank, a list of tensors, or an optional. */

import type { DType, ValueInfo } from 'onemodel';
import type { Feed, TensorFeed } from '../protocol';
import { element } from './dom';
import { type Choice, Choices } from './input_choices';
import { InputError } from './input_error';
import { type Field, naming } from './input_field';
import { elementsOf, type Nested, shapeOf } from './nested_list';
import { parseItems } from './number_list';
import { parseJson } from './text_list';

/** One way to fill it. */
interface FreeContent extends Choice {
  /** Throws InputError for what is no such content. */
  read(): Feed['item'];
}

function tensorOf(item: Nested, dtype: DType): TensorFeed {
  const shape = shapeOf(item);
  const values = elementsOf(item, shape, dtype === 'string' ? 'string' : undefined);
  return { dtype, shape, fill: { kind: 'values', values: values as number[] } };
}

/** The tensors of a text, one after the other; texts are a line of JSON each. */
function parseTensors(text: string, dtype: DType): TensorFeed[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const items = dtype === 'string' ? lines.map(parseJson) : parseItems(text, dtype);
  return items.map((item) => tensorOf(item, dtype));
}

function onlyTensor(text: string, dtype: DType): TensorFeed {
  const [only, ...others] = dtype === 'string' ? [tensorOf(parseJson(text), dtype)] : parseTensors(text, dtype);
  if (only && others.length === 0) return only;
  throw new InputError(`got ${others.length + (only ? 1 : 0)} tensors, expected one: 5, [1, 2] or [[1, 2], [3, 4]]`);
}

const nothing: FreeContent = {
  name: 'nothing',
  label: 'nothing',
  fields: null,
  usesSeed: false,
  read: () => null,
};

function written({ name, dtype, holds }: ValueInfo): FreeContent {
  const isList = holds.endsWith('sequence');
  const [first, second] = dtype === 'string' ? ['"a"', '["b", "c"]'] : ['5', '[[1, 2], [3, 4]]'];
  const field = element('textarea', {
    name: `values ${name}`,
    rows: 3,
    spellcheck: 'false',
    placeholder: isList ? `a tensor on each line:\n${first}\n${second}` : `${first}, or ${second}`,
    'aria-label': `${isList ? 'Tensors' : 'Tensor'} for ${name}`,
  });
  return {
    name: 'values',
    label: isList ? 'a list of tensors' : 'a tensor',
    fields: field,
    usesSeed: false,
    read: () => (isList ? parseTensors(field.value, dtype) : onlyTensor(field.value, dtype)),
  };
}

export class FreeField implements Field {
  readonly #name: string;
  readonly #choices: Choices<FreeContent>;

  /** `onChange` is told of another choice. */
  constructor(info: ValueInfo, onChange: () => void) {
    this.#name = info.name;
    const contents = [...(info.holds.startsWith('optional') ? [nothing] : []), written(info)];
    this.#choices = new Choices(info, contents, onChange);
  }

  get element(): HTMLElement {
    return this.#choices.element;
  }

  get usesSeed(): boolean {
    return false;
  }

  update(): void {
    this.#choices.show();
  }

  async takeImage(): Promise<boolean> {
    return false;
  }

  read(): Feed {
    return { name: this.#name, item: naming(this.#name, () => this.#choices.chosen.read()) };
  }
}
