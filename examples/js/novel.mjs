// Real text to learn from: the first three chapters of Moby-Dick by Herman Melville (1851), in the public domain.

import { readFileSync } from 'node:fs';

export const novel = readFileSync(new URL('moby_dick.txt', import.meta.url), 'utf8');
