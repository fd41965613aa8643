/** `import 'onemodel/ort/global'` before `@huggingface/transformers`: its models run on the engine. */

import { installGlobal } from './index.js';

installGlobal();
