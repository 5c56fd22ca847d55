/**
 * `npm run compatibility [-- --quick] [--size MIB] [--tools FOLDER] [NAME ...]`: installs third-party S3 clients, and
 * lets each do one real job against a vault on this machine. A job that fails makes the run fail; a tool that cannot be
 * installed is reported with the reason. A run at the full size writes docs/compatibility.md.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { repositoryRoot } from "../run/environment.ts";
import { describeResult, type Result, writeDocument } from "./document.ts";
import { runTools } from "./run-tools.ts";
import { tools } from "./tools/index.ts";

const SIZE_MIB = 200;
const QUICK_SIZE_MIB = 40;
const MIB = 1_048_576;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      size: { type: "string" },
      tools: { type: "string", default: join(tmpdir(), "stashlight-compatibility") },
    },
    allowPositionals: true,
  });
  const unknown = positionals.filter((name) => !tools.some(({ id }) => id === name));
  if (unknown.length > 0) {
    throw new Error(
      `No tool is named ${unknown.join(", ")}; choose from: ${tools.map(({ id }) => id).join(", ")}.`,
    );
  }
  const chosen = tools.filter(({ id, isQuick }) =>
    positionals.length > 0 ? positionals.includes(id) : isQuick || !values.quick,
  );
  const sizeMib =
    values.size === undefined ? (values.quick ? QUICK_SIZE_MIB : SIZE_MIB) : Number(values.size);
  if (!Number.isInteger(sizeMib) || sizeMib < 1) throw new Error("--size must be a whole number of MiB.");
  const results = await runTools(chosen, {
    sizeBytes: sizeMib * MIB,
    installFolder: values.tools,
    onResult: (result) => console.log(describeResult(result)),
  });
  if (sizeMib === SIZE_MIB) updateDocument(results);
  if (results.some(({ outcome }) => outcome.kind === "failed")) process.exitCode = 1;
  console.log(countResults(results));
}

function updateDocument(results: readonly Result[]): void {
  const path = join(repositoryRoot, "docs/compatibility.md");
  const earlier = existsSync(path) ? readFileSync(path, "utf8") : "";
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(path, writeDocument(results, tools, { date, sizeMib: SIZE_MIB, earlier }));
}

function countResults(results: readonly Result[]): string {
  const count = (kind: Result["outcome"]["kind"]) =>
    results.filter(({ outcome }) => outcome.kind === kind).length;
  return `Tools: ${count("passed")} passed, ${count("failed")} failed, ${count("not installed")} not installed`;
}

await main();
