// npm run build: the native library, the four wasm modules and the npm package.
import * as project from './lib/project.mjs';

await project.bootstrap();
await project.installPackages();
await project.buildPreset('release');
for (const variant of project.variants) await project.buildModule(variant);
await project.buildPackage();
