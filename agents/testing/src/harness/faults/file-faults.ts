/**
 * Injects file faults that the system itself reports to an agent, and steps of its wall clock. An agent started with
 * `env` obeys from its first call on, and a change applies from its next call on (file-faults.c has the format).
 */
import { closeSync, mkdirSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { scratchFolder } from "../agent-process.ts";
import type { TestVault } from "../vault.ts";
import { compileFaultLibrary } from "./library.ts";

export type FaultMode = "read" | "write" | "sync" | "open";

export interface FileFault {
  readonly mode: FaultMode;
  /** Calls fail on files whose path contains this. */
  readonly path: string;
  readonly error?: "EIO" | "ENOSPC" | "EROFS" | "ENODEV";
}

const SLOT_BYTES = 4096;
const CLOCK_AT = 8;
const FAILED_COUNT_AT = 16;

export class FileFaults {
  /** Environment of agents whose calls can be made to fail. */
  readonly env: Readonly<Record<string, string>>;
  readonly #folder: string;
  readonly #control: number;
  #slot = 1;

  constructor(library: string) {
    mkdirSync(scratchFolder, { recursive: true });
    this.#folder = mkdtempSync(join(scratchFolder, "faults-"));
    const path = join(this.#folder, "control");
    this.#control = openSync(path, "w+", 0o600);
    writeSync(this.#control, Buffer.alloc(3 * SLOT_BYTES), 0, 3 * SLOT_BYTES, 0);
    this.env = {
      LD_PRELOAD: library,
      FILE_FAULTS_CONTROL: path,
      // io_uring bypasses the C library.
      UV_USE_IO_URING: "0",
      // Enough for a vault of twenty drives in few processes.
      UV_THREADPOOL_SIZE: "16",
    };
  }

  /** Makes exactly these calls fail from now on. */
  set(faults: readonly FileFault[]): void {
    const rules = faults.map(
      ({ mode, path, error = "EIO" }) => `${mode} ${constants.errno[error]} ${path}\n`,
    );
    const text = Buffer.from(`${rules.join("")}\0`);
    if (text.length > SLOT_BYTES) throw new Error(`${faults.length} faults do not fit into a slot.`);
    this.#slot = this.#slot === 1 ? 2 : 1;
    writeSync(this.#control, text, 0, text.length, this.#slot * SLOT_BYTES);
    this.#putInForce(faults.length === 0 ? 0 : this.#slot);
  }

  clear(): void {
    this.set([]);
  }

  #putInForce(slot: number): void {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(slot);
    writeSync(this.#control, bytes, 0, bytes.length, 0);
  }

  /** Sets the agents' wall clock ahead, or back, by this much. */
  stepClock(aheadMs: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(aheadMs));
    writeSync(this.#control, bytes, 0, bytes.length, CLOCK_AT);
  }

  /** Number of calls that have failed since the start. */
  get failedCount(): number {
    const bytes = Buffer.alloc(8);
    readSync(this.#control, bytes, 0, bytes.length, FAILED_COUNT_AT);
    return Number(bytes.readBigUInt64LE());
  }

  close(): void {
    closeSync(this.#control);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Returns null if the machine does not support these faults, and logs the reason and what is not tested. */
export function useFileFaults(untested: string): FileFaults | null {
  const library = compileFaultLibrary();
  if ("whyNot" in library) {
    console.warn(`SKIPPED: ${untested} was not tested: ${library.whyNot}.`);
    return null;
  }
  const faults = new FileFaults(library.path);
  afterAll(() => faults.close());
  return faults;
}

/** Part of the path that only files on the drive of this pod ("p0") or stash device ("s0") have. */
export function drivePath({ file }: TestVault, address: string): string {
  for (const node of file.nodes) {
    if (node.role === "coordinator") continue;
    for (const drive of node.drives) {
      if (address === ("pod" in drive ? `p${drive.pod}` : `s${drive.device}`)) return `/${drive.path}/`;
    }
  }
  throw new Error(`The vault has no drive ${address}.`);
}

export function driveAddresses({ file }: TestVault, role: "pod" | "stash"): string[] {
  return file.nodes.flatMap((node) => {
    if (node.role === "coordinator" || node.role !== role) return [];
    return node.drives.map((drive) => ("pod" in drive ? `p${drive.pod}` : `s${drive.device}`));
  });
}
