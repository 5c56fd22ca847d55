/** Parses the text of a layout; reports one sentence per fault, with its line. */
import { readFileSync } from "node:fs";
import { parseReadable } from "@stashlight/contracts/readable-file";
import { quorumsOf } from "@stashlight/write-path";
import { SetupError } from "../setup-error.ts";
import { type Layout, layoutSchema, type Machine } from "./schema.ts";

/** Throws a SetupError. */
export function readLayout(path: string): Layout {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new SetupError(`The layout ${path} cannot be read: ${(error as Error).message}.`);
  }
  return parseLayout(text, path);
}

/** Throws a SetupError with every fault, as sentences that begin with the file and the line. */
export function parseLayout(text: string, path: string): Layout {
  const read = parseReadable(text, path, layoutSchema);
  if (read.type === "faulty") throw new SetupError(read.faults);
  const { value: layout, placeOf } = read;
  const faults = layoutFaults(layout);
  if (faults.length > 0) throw new SetupError(faults.map(({ at, text }) => `${placeOf(at)}: ${text}`));
  return layout;
}

interface Fault {
  readonly at: readonly PropertyKey[];
  readonly text: string;
}

/** Checks that involve several fields. */
function layoutFaults(layout: Layout): Fault[] {
  const { machines, scheme } = layout;
  const { shardCount } = quorumsOf(scheme);
  const name = `${scheme.dataShardCount}+${scheme.parityShardCount}`;
  const podCount = machines.reduce((sum, { pods }) => sum + pods.length, 0);
  const faults: Fault[] = machines.flatMap((machine, at) => faultsOfMachine(machine, at, layout));
  if (podCount !== shardCount) {
    const text = `${name} needs ${shardCount} pods, each a drive, but the machines name ${podCount}.`;
    faults.push({ at: ["machines"], text });
  }
  if (!machines.some(({ stash }) => stash.length > 0)) {
    faults.push({ at: ["machines"], text: "No machine has a stash drive." });
  }
  if (!machines.some(({ coordinator }) => coordinator)) {
    faults.push({ at: ["machines"], text: 'No machine is a coordinator; give one "coordinator: true".' });
  }
  return faults;
}

function faultsOfMachine(machine: Machine, at: number, { machines, port }: Layout): Fault[] {
  const { name, address, pods, stash, coordinator } = machine;
  const before = machines.slice(0, at);
  const here = ["machines", at];
  const faults: Fault[] = [];
  if (before.some((other) => other.name === name)) {
    faults.push({ at: [...here, "name"], text: `The name ${name} is given to two machines.` });
  }
  const ownPort = machine.port ?? port;
  const taken = before.find(
    (other) => other.address === address && Math.abs((other.port ?? port) - ownPort) < PORTS_OF_MACHINE,
  );
  if (taken !== undefined) {
    const text = `${name} and ${taken.name} have the address ${address}; give one of them another address, or a port ${PORTS_OF_MACHINE} or more away.`;
    faults.push({ at: [...here, "address"], text });
  }
  const drives = [...pods, ...stash];
  const twice = drives.find((path, index) => drives.indexOf(path) !== index);
  if (twice !== undefined) faults.push({ at: here, text: `${name} names the drive ${twice} twice.` });
  const inside = drives.find((path) => drives.some((other) => path.startsWith(`${other}/`)));
  if (inside !== undefined) {
    faults.push({ at: here, text: `The drive ${inside} of ${name} is a folder of another drive.` });
  }
  if (drives.length === 0 && !coordinator) {
    faults.push({ at: here, text: `${name} has no role; give it pods, stash or "coordinator: true".` });
  }
  return faults;
}

/** Two ports per role: one for the node, and one for its admin page. */
const PORTS_OF_MACHINE = 6;
