import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { checkBoundaries, findUnusedRights, formatFinding } from "./check.ts";
import { boundaryRules } from "./rules.ts";

const made: string[] = [];

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

const manifest = (name: string, dependencies: string[] = [], exports?: Record<string, string>): string =>
  JSON.stringify({
    name: `@stashlight/${name}`,
    exports,
    dependencies: Object.fromEntries(dependencies.map((each) => [each, "1.0.0"])),
  });

const BASE_TREE: Record<string, string> = {
  "package.json": JSON.stringify({ name: "stashlight", devDependencies: { vitest: "1" } }),
  "packages/contracts/package.json": manifest("contracts", ["zod"], { ".": "./src/index.ts" }),
  "packages/contracts/src/index.ts": `export const unit = "ms";\n`,
  "packages/db/package.json": manifest("db", ["@stashlight/contracts", "pg"], {
    ".": "./src/index.ts",
    "./testing": "./src/testing/index.ts",
  }),
  "packages/services/package.json": manifest("services", ["@stashlight/contracts", "@stashlight/db"], {
    ".": "./src/index.ts",
  }),
  "packages/api/package.json": manifest("api", ["@stashlight/services", "@stashlight/db"], {
    ".": "./src/index.ts",
  }),
  "packages/ui/package.json": manifest("ui", ["react", "@stashlight/contracts", "pg"]),
  "packages/checksum/package.json": manifest("checksum"),
  "apps/console/package.json": manifest("console", ["@stashlight/api", "@stashlight/ui"]),
  "apps/worker/package.json": manifest("worker", ["@stashlight/services"]),
  "apps/ingest/package.json": manifest("ingest", ["@stashlight/services", "@stashlight/db"]),
};

/** A folder with the base tree and `files`. */
function rootOf(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), "stashlight-boundaries-"));
  made.push(root);
  for (const [path, text] of Object.entries({ ...BASE_TREE, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** Lines of findings for the base tree with `files` added. */
const findingsFor = (files: Record<string, string>): string[] =>
  checkBoundaries(rootOf(files), boundaryRules).map(formatFinding);

describe("a violation is reported once, with its reason", () => {
  const rows: [string, string, string, string][] = [
    [
      "a package outside the row",
      "packages/db/src/a.ts",
      `\nimport { x } from "@stashlight/services";`,
      `packages/db/src/a.ts:2: imports "@stashlight/services"; packages/db may import only contracts.`,
    ],
    [
      "import type",
      "packages/ui/src/a.ts",
      `import type { X } from "@stashlight/contracts";`,
      "nothing of ours",
    ],
    [
      "export from",
      "packages/ui/src/a.ts",
      `export { unit } from "@stashlight/contracts";`,
      "nothing of ours",
    ],
    ["export *", "packages/ui/src/a.ts", `export * from "@stashlight/contracts";`, "nothing of ours"],
    ["a bare import", "packages/ui/src/a.tsx", `import "@stashlight/contracts";`, "nothing of ours"],
    [
      "a dynamic import",
      "packages/ui/src/a.ts",
      "const x = await import(`@stashlight/contracts`);",
      "nothing of ours",
    ],
    [
      "an import() type",
      "packages/ui/src/a.ts",
      `export type X = import("@stashlight/contracts").X;`,
      "nothing of ours",
    ],
    ["require", "packages/ui/src/a.cjs", `require("@stashlight/contracts");`, "nothing of ours"],
    [
      "a require from createRequire",
      "apps/worker/src/a.ts",
      `import { createRequire } from "node:module";\nconst load = createRequire(import.meta.url);\nload("@stashlight/db");`,
      `apps/worker/src/a.ts:3: imports "@stashlight/db"`,
    ],
    ["a reference comment", "packages/ui/src/a.ts", `/// <reference types="prisma" />`, `imports "prisma"`],
    ["a style sheet", "packages/ui/src/a.css", `@import "@stashlight/contracts/x.css";`, "nothing of ours"],
    [
      "an app",
      "packages/api/src/a.ts",
      `import "@stashlight/worker";`,
      "packages/api may import only services, contracts",
    ],
    [
      "a test helper outside tests",
      "packages/api/src/a.ts",
      `import "@stashlight/db/testing";`,
      "may import only",
    ],
    [
      "a relative path into another package",
      "packages/db/src/a.ts",
      `import "../../contracts/src/index.ts";`,
      `a path into packages/contracts; only names that "@stashlight/contracts" exports`,
    ],
    [
      "an inner path",
      "packages/services/src/a.ts",
      `import "@stashlight/db/src/client.ts";`,
      `an inner path; @stashlight/db exports "@stashlight/db", "@stashlight/db/testing".`,
    ],
    ["a computed name", "packages/db/src/a.ts", "await import(name);", "cannot be checked"],
    [
      "an unlisted dependency",
      "packages/db/src/a.ts",
      `import { z } from "zod";`,
      `only what packages/db/package.json lists may be imported; add "zod" to it`,
    ],
    [
      "an unlisted workspace package",
      "apps/worker/src/a.ts",
      `import "@stashlight/contracts";`,
      `add "@stashlight/contracts" to it`,
    ],
    ["a test tool outside tests", "packages/db/src/a.ts", `import "vitest";`, `add "vitest" to it`],
    ["a builtin without its prefix", "packages/db/src/a.ts", `import "fs";`, `write "node:fs"`],
    [
      "a Node module in the UI",
      "packages/ui/src/a.ts",
      `import "node:fs";`,
      "because it also runs in a browser",
    ],
    [
      "pg in the UI, though listed",
      "packages/ui/src/a.ts",
      `import "pg";`,
      "because it also runs in a browser",
    ],
    ["the process global", "packages/contracts/src/a.ts", "process.env.HOME;", "uses process"],
    ["node:net in a pure package", "packages/checksum/src/a.ts", `import "node:net";`, "are arguments"],
    [
      "Date.now in a pure package",
      "packages/checksum/src/a.ts",
      "\nDate.now();",
      "packages/checksum/src/a.ts:2: uses Date.now",
    ],
    [
      "node:fs in a pure package beside its adapter",
      "packages/checksum/src/node/other.ts",
      `import "node:fs";`,
      "are arguments",
    ],
    [
      "Date.now through globalThis",
      "packages/checksum/src/a.ts",
      `globalThis.Date["now"]();`,
      "uses Date.now",
    ],
    ["new Date() in a pure package", "packages/checksum/src/a.ts", "new Date();", "uses new Date()"],
    [
      "a destructured Math.random",
      "packages/checksum/src/a.ts",
      "const { random } = Math;",
      "uses Math.random",
    ],
    ["a folder without a row", "packages/extra/src/a.ts", "export {};", "packages/extra has no row"],
    ["broken syntax", "packages/db/src/a.ts", "\nimport {", "packages/db/src/a.ts:2: cannot be parsed"],
  ];

  test.each(rows)("%s", (_name, file, source, sentence) => {
    const findings = findingsFor({ [file]: source });
    expect(findings).toEqual([expect.stringContaining(sentence)]);
  });
});

test("reports a cycle between files once, with its path", () => {
  const findings = findingsFor({
    "packages/db/src/a.ts": `import "./b.ts";`,
    "packages/db/src/b.ts": `\nexport * from "./c.ts";`,
    "packages/db/src/c.ts": `import type { A } from "./a.ts";`,
  });
  expect(findings).toEqual([
    "packages/db/src/a.ts:1: imports itself through packages/db/src/a.ts -> packages/db/src/b.ts -> packages/db/src/c.ts -> packages/db/src/a.ts; move what both need into a third file.",
  ]);
});

test("detects a cycle through a bundler's alias", () => {
  const findings = findingsFor({
    "apps/console/src/app/a.ts": `import "@/lib/b.ts";`,
    "apps/console/src/lib/b.ts": `import "../app/a.ts";`,
  });
  expect(findings).toHaveLength(1);
});

test("accepts imports that the table allows", () => {
  const findings = findingsFor({
    "packages/db/src/a.ts": `import { unit } from "@stashlight/contracts";\nimport pg from "pg";\nimport "node:fs";`,
    "apps/ingest/src/a.test.ts": `import { test } from "vitest";\nimport "@stashlight/db/testing";`,
    "packages/contracts/src/process/process.ts": "export const home = process.env.HOME;",
    "packages/checksum/src/a.ts": `import assert from "node:assert/strict";\nexport const day = new Date(0); Math.max(1, 2);`,
    "packages/checksum/src/golden.test.ts": `import { readFileSync } from "node:fs";`,
    "packages/ui/src/a.ts":
      "export function run(process: () => void) { process(); return { process: 1 }.process; }",
    "packages/ui/src/b.ts": `export const text = 'import "@stashlight/db"'; // import("pg")`,
    "packages/ui/src/lazy.ts": `export const open = () => import("./user.ts");`,
    "packages/ui/src/user.ts": `import { open } from "./lazy.ts";`,
  });
  expect(findings).toEqual([]);
});

test("folders of a package that import each other, even through different files, are an error", () => {
  const findings = findingsFor({
    "packages/ui/src/form/button.ts": `import "../feedback/spinner.ts";`,
    "packages/ui/src/form/field.ts": "",
    "packages/ui/src/feedback/spinner.ts": "",
    "packages/ui/src/feedback/error.ts": `import "../form/field.ts";`,
  });
  expect(findings).toEqual([
    expect.stringContaining("packages/ui/src has a cycle, feedback -> form -> feedback"),
  ]);
});

test("rejects a folder and a file beside it that reach each other, but not tests and dynamic imports", () => {
  const tree = {
    "packages/db/src/size.ts": "",
    "packages/db/src/open.ts": `import "./pool/pool.ts";`,
    "packages/db/src/pool/pool.ts": `import "../size.ts"; import("../open.ts");`,
    "packages/db/src/pool/pool.test.ts": `import "../open.ts";`,
  };
  expect(findingsFor(tree)).toEqual([]);
  expect(findingsFor({ ...tree, "packages/db/src/size.ts": `import "./pool/names.ts";` })).toEqual([]);
  expect(
    findingsFor({
      ...tree,
      "packages/db/src/pool/names.ts": "",
      "packages/db/src/size.ts": `import "./pool/names.ts";`,
    }),
  ).toEqual([expect.stringContaining("pool -> size.ts -> pool")]);
});

test("a right that no file uses is an error; a right of tests counts as used if a test uses it", () => {
  const root = rootOf({
    "packages/api/src/a.ts": `import { x } from "@stashlight/services";`,
    "packages/api/src/a.test.ts": `import "@stashlight/db/testing";`,
  });
  const row = { unit: "packages/api", mayImport: ["services", "contracts"], testsMayImport: ["db", "s3"] };
  expect(findUnusedRights(root, { ...boundaryRules, units: [row] }).map(({ message }) => message)).toEqual([
    "packages/api may import contracts, which none of its files does; remove the right.",
    "packages/api may import s3, which none of its files does; remove the right.",
  ]);
});
