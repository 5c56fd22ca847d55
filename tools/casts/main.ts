/**
 * Refuses casts in product code of services and the codecs of columns: values from outside are read by a schema, and
 * values known to exist are read through `present`.
 */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../run/environment.ts";
import { findCasts } from "./find-casts.ts";

const folders = ["packages/services/src", "packages/db/src/columns"];
const isProduct = (path: string): boolean => !/\.test\.ts$|\/testing\//.test(path);

const files = folders
  .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: repositoryRoot }))
  .filter(isProduct)
  .sort();
assert(files.length > 0, `No product files in ${folders.join(", ")}.`);
for (const file of files) {
  for (const { line, type } of findCasts(file, readFileSync(join(repositoryRoot, file), "utf8"))) {
    console.log(`${file}:${line}: casts to ${type}; read the value by a schema, a guard or present().`);
    process.exitCode = 1;
  }
}
