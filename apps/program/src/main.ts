/**
 * The program of a node and of an engineer's laptop, which `npm run package -- program` bundles into one file: the
 * agent, the host agent, the probe, the command line, and the threads and child processes that these start. Only the
 * requested entry is evaluated.
 */
import { ENTRY_FLAG, type EntryName, runFromBundle } from "@stashlight/contracts/process";

const entries: Readonly<Record<EntryName, () => Promise<unknown>>> = {
  agent: () => import("@stashlight/node/main"),
  sampler: () => import("@stashlight/benchmark/sampler-process"),
  "disk-benchmark": () => import("@stashlight/disk-benchmark/process"),
  "disk-benchmark-thread": () => import("@stashlight/disk-benchmark/thread"),
  "hash-thread": () => import("@stashlight/s3/hash-thread"),
  "host-fsync-thread": () => import("@stashlight/host/fsync-thread"),
};

/** Commands that are separate programs; the command line handles all others. */
const programs: Readonly<Record<string, () => Promise<unknown>>> = {
  agent: entries.agent,
  host: () => import("@stashlight/host/main"),
  probe: () => import("@stashlight/probe/main"),
};

function chooseProgram(args: string[]): () => Promise<unknown> {
  const [first = ""] = args;
  if (first === ENTRY_FLAG) {
    const [, name] = args.splice(0, 2);
    return entries[name as EntryName];
  }
  const program = Object.hasOwn(programs, first) ? programs[first] : undefined;
  if (program === undefined) return () => import("@stashlight/cli/main");
  args.shift();
  return program;
}

runFromBundle(new URL(import.meta.url));
const args = process.argv.slice(2);
const program = chooseProgram(args);
process.argv.splice(2, process.argv.length, ...args);
void program();
