import { readdirSync, readFileSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { mutants } from "./list.ts";
import { type Mutant, mutate, type SourceFile } from "./mutant.ts";

const writePathFolder = dirname(createRequire(import.meta.url).resolve("@stashlight/write-path"));

export function readSources(folder: Mutant["folder"]): SourceFile[] {
  return readdirSync(join(writePathFolder, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.name.endsWith(".test.ts"))
    .map(({ name }) => {
      const path = join(writePathFolder, folder, name);
      return { path, text: readFileSync(path, "utf8") };
    });
}

export function mutantNamed(name: string): Mutant {
  const mutant = mutants.find((candidate) => candidate.name === name);
  if (mutant) return mutant;
  throw new RangeError(
    `There is no mutant "${name}"; choose from: ${mutants.map((candidate) => candidate.name).join(", ")}.`,
  );
}

/**
 * From here on this thread loads the write path with the mistake in it; so nothing of it may have been loaded before.
 * Returns whether the changed module has been loaded.
 */
export function installMutant(mutant: Mutant): () => boolean {
  const { path, text } = mutate(mutant, readSources(mutant.folder));
  const changedUrl = pathToFileURL(path).href;
  let isLoaded = false;
  registerHooks({
    load(url, context, nextLoad) {
      const module = nextLoad(url, context);
      if (url !== changedUrl) return module;
      isLoaded = true;
      return { ...module, source: text };
    },
  });
  return () => isLoaded;
}
