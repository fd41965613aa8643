/** The code editor: CodeMirror in the colours of the page. */

import { indentWithTab } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { Prec, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { basicSetup } from 'codemirror';

const theme = EditorView.theme({
  '&': { fontSize: '13px', backgroundColor: 'var(--field)', color: 'var(--text)', borderRadius: '10px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', maxHeight: '27rem', lineHeight: '1.55' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--faint)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--accent) 7%, transparent)' },
  '.cm-failed-line, .cm-failed-line.cm-activeLine': {
    backgroundColor: 'color-mix(in srgb, var(--bad) 16%, transparent)',
    boxShadow: 'inset 3px 0 var(--bad)',
  },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--accent) 26%, transparent)',
  },
});

const markLine = StateEffect.define<number>();
const failed = Decoration.line({ class: 'cm-failed-line' });

/** The line that failed, until the text changes. */
const failedLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marked, { docChanged, effects, state }) {
    const effect = effects.find((each) => each.is(markLine));
    if (effect) return Decoration.set([failed.range(state.doc.line(effect.value).from)]);
    return docChanged ? Decoration.none : marked;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: [tags.comment], color: 'var(--code-comment)', fontStyle: 'italic' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: 'var(--code-function)' },
  { tag: [tags.className, tags.definition(tags.variableName)], color: 'var(--code-name)' },
]);

export interface Editor {
  readonly code: string;
  show(code: string): void;
  /** Shows where the code failed. */
  mark(line: number | null): void;
  /** The same, and puts the cursor there. */
  goTo(line: number): void;
}

export function createEditor(parent: HTMLElement, onRun: () => void, onChange: () => void): Editor {
  const view = new EditorView({
    parent,
    extensions: [
      Prec.highest(
        keymap.of([
          {
            key: 'Mod-Enter',
            run: () => {
              onRun();
              return true;
            },
          },
        ]),
      ),
      basicSetup,
      keymap.of([indentWithTab]),
      javascript(),
      EditorView.lineWrapping,
      failedLine,
      theme,
      syntaxHighlighting(colours),
      EditorView.contentAttributes.of({ 'aria-label': 'Code of the example' }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onChange();
      }),
    ],
  });
  const mark = (line: number | null) => {
    if (line === null || line > view.state.doc.lines) return null;
    const { from } = view.state.doc.line(line);
    view.dispatch({ effects: [markLine.of(line), EditorView.scrollIntoView(from, { y: 'center' })] });
    return from;
  };
  return {
    get code() {
      return view.state.doc.toString();
    },
    show(code) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: code } });
      view.scrollDOM.scrollTop = 0;
    },
    mark,
    goTo(line) {
      const from = mark(line);
      if (from === null) return;
      view.focus();
      view.dispatch({ selection: { anchor: from } });
    },
  };
}
