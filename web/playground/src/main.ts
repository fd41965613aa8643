/** Wires the sections of the page to one engine. */

import type { InitOptions, Variant } from 'onemodel';
import { EngineClient } from './engine_client';
import { type ExampleName, examples, type ResultName } from './examples';
import { byId, element } from './ui/dom';
import { DrawingSection } from './ui/drawing_section';
import { createEditor } from './ui/editor';
import { ExportSection } from './ui/export_section';
import { MasksSection } from './ui/masks_section';
import { ModelSection } from './ui/model_section';
import type { ResultSection } from './ui/result_section';
import { showDownload, showEnvironment, showStartFailure, watchMemory } from './ui/status';
import { StreamingSection } from './ui/streaming_section';
import { TraceSection } from './ui/trace_section';
import { TrainingSection } from './ui/training_section';
import { WordsSection } from './ui/words_section';
import { WritingSection } from './ui/writing_section';
import { Workbench } from './workbench';

/** `?variant=simd&threads=1` forces what runs. */
function initOptions(): InitOptions {
  const query = new URLSearchParams(location.search);
  const options: InitOptions = {};
  if (query.has('variant')) options.variant = query.get('variant') as Variant;
  if (query.has('threads')) options.threads = Number(query.get('threads'));
  return options;
}

const engine = new EngineClient(initOptions());
engine.onDownload = (download) => {
  showDownload(download);
  training.showDownload(download);
};
const started = engine.start(); // loads while the page is put together

let chosen: ExampleName = 'line';
/** What was edited stays when another example is looked at. */
const codes = Object.fromEntries(Object.entries(examples).map(([name, { code }]) => [name, code])) as Record<
  ExampleName,
  string
>;

const editor = createEditor(
  byId('editor'),
  () => void training.run(),
  () => {
    codes[chosen] = editor.code;
  },
);
const workbench = new Workbench(engine, () => editor.code);
const training = new TrainingSection(workbench);
const results: Record<ResultName, ResultSection> = {
  drawing: new DrawingSection(workbench),
  writing: new WritingSection(workbench),
  streaming: new StreamingSection(workbench),
  masks: new MasksSection(workbench),
  words: new WordsSection(workbench),
};
const model = new ModelSection(workbench);
const trace = new TraceSection(workbench, (file) => model.open(file));
const program = new ExportSection(workbench, (line) => editor.goTo(line));

/** The section that shows what the model of the chosen example does. */
function shownResult(): ResultSection | null {
  const { result } = examples[chosen];
  return result && results[result];
}

function choose(name: ExampleName): void {
  chosen = name;
  editor.show(codes[name]);
  workbench.forget();
  training.reset();
  trace.fileName = name;
  program.fileName = name;
  for (const each of Object.values(results)) each.show(each === shownResult());
}

const radios = Object.entries(examples).map(([name, { title }]) => {
  const radio = element('input', { type: 'radio', name: 'example', value: name, checked: name === chosen });
  radio.addEventListener('change', () => choose(name as ExampleName));
  byId('examples').append(element('label', {}, radio, element('span', {}, title)));
  return radio;
});

byId('reset').addEventListener('click', () => {
  editor.show(examples[chosen].code);
});
training.onBusy = (busy) => {
  for (const radio of radios) radio.disabled = busy;
  if (!busy && workbench.prepared) shownResult()?.ask();
};
training.onProgress = () => shownResult()?.follow();
training.onFailure = (line) => editor.mark(line);
engine.onReplaced = (environment) => {
  showEnvironment(environment);
  workbench.lose();
  return model.reopen();
};

choose(chosen);
try {
  showEnvironment(await started);
  training.ready();
  trace.setEnabled(true);
  program.setEnabled(true);
  watchMemory(engine);
} catch (error) {
  showStartFailure(error);
  training.unavailable();
}
