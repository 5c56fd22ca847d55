/**
 * Bundles the program of apps/program into one file that needs nothing but Node >= 24. Every byte of it is JavaScript
 * or WebAssembly, so that the same file runs on x64 and arm64.
 */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { constants, deflateRawSync } from "node:zlib";
import { type OutputChunk, rolldown } from "rolldown";
import { repositoryRoot } from "../run/environment.ts";

export interface Bundle {
  readonly file: string;
  readonly sizeBytes: number;
  /** Folders of the packages whose code is in it, including the workspace's. */
  readonly packageFolders: readonly string[];
}

/** Its entry is "main.cjs", with which the loader begins. */
const ENTRY = "apps/program/src/main.ts";
const PARTS_LINE = "  // The bundler writes them here.";

export async function bundleProgram(file: string): Promise<Bundle> {
  const chunks = await bundleChunks(join(repositoryRoot, ENTRY));
  refuseWhatNodeLacks(chunks);
  const parts = chunks.map(({ fileName, code }) => `  ${JSON.stringify(fileName)}: () => "${packed(code)}",`);
  const loader = readFileSync(join(import.meta.dirname, "loader.cjs"), "utf8");
  const text = `#!/usr/bin/env node\n${loader.replace(PARTS_LINE, parts.join("\n"))}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  const modulePaths = chunks.flatMap(({ moduleIds }) => moduleIds);
  return { file, sizeBytes: Buffer.byteLength(text), packageFolders: packageFolders(modulePaths) };
}

/**
 * Refuses modules that are neither in the file nor in Node, such as a package with a native part: they would be missing
 * on a node.
 */
function refuseWhatNodeLacks(chunks: readonly OutputChunk[]): void {
  const inFile = new Set(chunks.map(({ fileName }) => fileName));
  const missing = chunks
    .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
    .filter((name) => !inFile.has(name) && !isBuiltin(name));
  if (missing.length > 0)
    throw new Error(`The program imports modules that are not in its file: ${missing.join(", ")}.`);
}

async function bundleChunks(input: string): Promise<OutputChunk[]> {
  const bundle = await rolldown({ input, platform: "node", checks: { circularDependency: false } });
  try {
    const { output } = await bundle.generate({
      format: "cjs",
      comments: false,
      entryFileNames: "[name].cjs",
      chunkFileNames: "[name]-[hash].cjs",
    });
    return output.filter((part) => part.type === "chunk");
  } finally {
    await bundle.close();
  }
}

/** Compresses the loader's Latin-1 text to base64; Latin-1 takes half the memory of any other text. */
function packed(code: string): string {
  return deflateRawSync(Buffer.from(escaped(code), "latin1"), {
    level: constants.Z_BEST_COMPRESSION,
  }).toString("base64");
}

/** Characters outside Latin-1 occur only in strings and regular expressions, where an escape is equivalent. */
function escaped(code: string): string {
  return code.replace(
    /[^\0-\xff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Package folder of each module: the last `node_modules/NAME`, or a workspace folder. */
function packageFolders(modulePaths: readonly string[]): string[] {
  const folders = modulePaths.flatMap((path) => {
    const found = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path) ?? /^(.*)\/src\//.exec(path);
    return found?.[1] ?? [];
  });
  return [...new Set(folders)].sort();
}
