// Real text to learn from: the project's licence.

import { readFileSync } from 'node:fs';

export const licence = readFileSync(new URL('../../LICENSE', import.meta.url), 'utf8');
