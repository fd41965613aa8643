import assert from 'node:assert/strict';
import test from 'node:test';
import { readArrows, sameNames, violations } from '../check-layers.mjs';

const arrows = readArrows('om_layer(core)\nom_layer(ops core)\nom_layer(eager ops)\nom_layer(graph ops)\n');

test('allows what lies below, directly or not', () => {
  const text = '#include <vector>\n#include "eager/tape.h"\n#include "ops/op.h"\n#include "core/error.h"\n';
  assert.deepEqual(violations('src/eager/tape.cpp', text, arrows), []);
});

test('names the line that includes a layer above', () => {
  assert.deepEqual(violations('src/core/tensor.cpp', '\n#include "ops/op.h"\n', arrows), [
    'src/core/tensor.cpp:2: core must not include ops ("ops/op.h")',
  ]);
});

test('rejects a neighbour', () => {
  assert.equal(violations('src/eager/a.h', '#include "graph/graph.h"', arrows).length, 1);
});

test('lets bindings include every layer, and no layer include bindings', () => {
  assert.deepEqual(violations('bindings/a.cpp', '#include "graph/graph.h"', arrows), []);
  assert.equal(violations('src/eager/a.h', '#include "bindings/a.h"', arrows).length, 1);
});

test('rejects relative paths and unknown layers', () => {
  assert.equal(violations('src/ops/a.h', '#include "../core/error.h"', arrows).length, 1);
  assert.equal(violations('src/utils/a.h', '', arrows).length, 1);
});

test('finds two types of one name, unless they are in other namespaces, anonymous ones or nested', () => {
  const open = 'namespace onemodel {\n';
  const texts = [
    ['src/a/a.h', `${open}struct Capture {\n};\n}  // namespace onemodel\n`],
    ['src/b/b.h', `${open}class Capture final : public Base {\n};\n}  // namespace onemodel\n`],
    ['src/c/c.cpp', `${open}namespace {\nstruct Capture {\n};\n}  // namespace\n`],
    ['src/d/d.cpp', `namespace onemodel::nn {\nstruct Capture {\n};\nstruct Capture::State {\n};\n`],
  ];
  assert.deepEqual(sameNames(texts), ['src/a/a.h:2 and src/b/b.h:2: two types called onemodel::Capture']);
});
