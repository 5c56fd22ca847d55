import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { findUnusedExports } from "./unused.ts";

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

const manifest = JSON.stringify({ name: "@stashlight/contracts", exports: { "./unit": "./src/unit.ts" } });

/** Names that count as unused in a tree with a package whose entry point `unit` re-exports names. */
function unusedIn(files: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(join(tmpdir(), "stashlight-exports-"));
  made.push(root);
  for (const [path, text] of Object.entries({ "packages/contracts/package.json": manifest, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return findUnusedExports(root).map(({ file, name }) => `${file} ${name}`);
}

const door = "packages/contracts/src/unit.ts";
const inner = "packages/contracts/src/inner.ts";
const user = "packages/contracts/src/user.test.ts";

test("an export that another file imports is used, even through an entry point and under another name", () => {
  const found = unusedIn({
    [door]: `export { a as b } from "./inner.ts";`,
    [inner]: "export const a = 1;",
    "apps/worker/src/main.ts": `import { b } from "@stashlight/contracts/unit"; b;`,
  });
  expect(found).toEqual([]);
});

test("an export that an entry point re-exports and no file imports is unused in both files", () => {
  const found = unusedIn({ [door]: `export { a } from "./inner.ts";`, [inner]: "export function a() {}" });
  expect(found).toEqual([`${inner} a`, `${door} a`]);
});

test("a helper shared within a package is refused behind an entry point that passes on all names", () => {
  const found = unusedIn({
    [door]: `export * from "./inner.ts";`,
    [inner]: "export const a = 1; export const b = 2; export type T = 1; export const c = 3 as T;",
    "packages/contracts/src/neighbour.ts": `import { b } from "./inner.ts"; b;`,
    "apps/worker/src/main.ts": `import { a, c } from "@stashlight/contracts/unit"; a; c;`,
  });
  expect(found).toEqual([`${inner} b`]);
});

test.each([
  [`import * as all from "./inner.ts"; all;`],
  [`await import("./inner.ts");`],
  [`export * as all from "./inner.ts";\nimport { all } from "./user.test.ts"; all;`],
])("%s uses all names", (text) => {
  expect(unusedIn({ [inner]: "export const a = 1;", [user]: text })).toEqual([]);
});

test("a type counts as used if its own file names it again, and a value does not", () => {
  const text = "export type T = 1; export const v = 1; export const w = v as T;";
  expect(unusedIn({ [inner]: text, [user]: `import { w } from "./inner.ts"; w;` })).toEqual([`${inner} v`]);
  expect(unusedIn({ [inner]: "export type T = 1;" })).toEqual([`${inner} T`]);
});
