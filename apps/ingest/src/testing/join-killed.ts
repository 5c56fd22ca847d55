/**
 * `node join-killed.ts BUNDLE FOLDER STEP`: joins a vault, and is killed before the given step. A step is a file that
 * is opened, renamed or removed, or an answer of the ingest. Exits with 0 if there are fewer steps.
 */
import fs from "node:fs";
import { flushCompileCache, syncBuiltinESMExports } from "node:module";

const [bundle = "", folder = "", step = ""] = process.argv.slice(2);
let stepsLeft = Number(step);

function dieBefore<Args extends unknown[], Result>(work: (...args: Args) => Result) {
  return (...args: Args): Result => {
    if (stepsLeft-- === 0) process.kill(process.pid, "SIGKILL");
    return work(...args);
  };
}

const { joinVault } = await import("@stashlight/vault-setup/join");
// Keeps a killed process from leaving compiled code for the next one.
flushCompileCache();
fs.renameSync = dieBefore(fs.renameSync);
fs.rmSync = dieBefore(fs.rmSync);
fs.promises.rename = dieBefore(fs.promises.rename);
fs.promises.open = dieBefore(fs.promises.open);
syncBuiltinESMExports();
globalThis.fetch = dieBefore(globalThis.fetch);

await joinVault({
  bundle,
  folder,
  tokens: {},
  nowMs: Date.now,
  say: () => undefined,
  warn: (line) => console.error(line),
  progress: () => undefined,
});
