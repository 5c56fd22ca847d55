import { readdirSync, readFileSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { mutants } from "./all-mutants.ts";
import { control } from "./control.ts";
import { type Mutant, mutate, type SourceFile } from "./mutant.ts";

const packageSources = (name: string): string =>
  dirname(createRequire(import.meta.url).resolve(`@stashlight/${name}`));

const PACKAGES: ReadonlySet<string> = new Set(["paged-memory", "shard-log", "shard-store"]);

function sourceFolder(folder: Mutant["folder"]): string {
  if (folder === "shell") return join(packageSources("shard-store"), folder);
  return PACKAGES.has(folder) ? packageSources(folder) : join(packageSources("write-path"), folder);
}

export function readSources(folder: Mutant["folder"]): SourceFile[] {
  return readdirSync(sourceFolder(folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.name.endsWith(".test.ts"))
    .map(({ name }) => {
      const path = join(sourceFolder(folder), name);
      return { path, text: readFileSync(path, "utf8") };
    });
}

export function mutantNamed(name: string): Mutant {
  const mutant = [...mutants, control].find((candidate) => candidate.name === name);
  if (mutant) return mutant;
  throw new RangeError(
    `There is no mutant "${name}"; choose from: ${mutants.map((candidate) => candidate.name).join(", ")}.`,
  );
}

/**
 * Loads the write path with the mistake in it from now on, so this thread must not have loaded any part of it before.
 * The returned function returns true once the changed module has been loaded.
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
