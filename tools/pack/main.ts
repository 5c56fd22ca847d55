/** `npm run package -- WHAT`: writes the shipped files to dist/, or to the folder after --output. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { repositoryRoot } from "../run/environment.ts";
import { bundleProgram } from "./bundle.ts";
import { assembleImage, buildConsole } from "./image.ts";
import { writeNpmPackage } from "./npm-package.ts";

const packages: Readonly<Record<string, (folder: string) => Promise<string>>> = {
  program: async (folder) => {
    const { file, sizeBytes } = await bundleProgram(resolve(folder, "stashlight.cjs"));
    return `${file}: agent, host agent, probe and command line, ${Math.round(sizeBytes / 1_000)} kB; needs Node >= 24`;
  },
  npm: async (folder) => {
    const file = await writeNpmPackage(folder);
    return `${file}: install it with npm install --global ${file}`;
  },
  image: async (folder) => {
    await buildConsole();
    const image = await assembleImage(resolve(folder, "image"));
    return `${image.folder}: the content of the image, ${Math.round(image.sizeBytes / 1_000_000)} MB`;
  },
};

const usage = `npm run package -- ${Object.keys(packages).join("|")} [--output FOLDER]`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { output: { type: "string", default: resolve(repositoryRoot, "dist") } },
    allowPositionals: true,
  });
  const [name = ""] = positionals;
  const write = Object.hasOwn(packages, name) ? packages[name] : undefined;
  if (write === undefined || positionals.length !== 1) throw new Error(`Choose what to write: ${usage}.`);
  console.log(await write(resolve(values.output)));
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
