/**
 * Locks a folder for one process by a kernel lock on an open file. The lock ends with the process, even if that is
 * killed, and is visible to every process on this machine, including those in containers. Node has no call for it, so
 * flock(1) is started with the open file and locks it.
 */
import { spawn } from "node:child_process";
import { close, constants, open } from "node:fs";
import { join } from "node:path";
import { DiskError } from "../disk.ts";
import { LOCK_FILE } from "../volume-file.ts";

/** O_EXLOCK of macOS and the BSDs, which Node does not name. */
const OPEN_LOCKED = 0x20;

export type LockDone = (error: DiskError | null, descriptor: number | null) => void;

export function lockFolder(folder: string, done: LockDone): void {
  const { O_RDWR, O_CREAT, O_NONBLOCK } = constants;
  const isLinux = process.platform === "linux";
  const flags = isLinux ? O_RDWR | O_CREAT : O_RDWR | O_CREAT | O_NONBLOCK | OPEN_LOCKED;
  open(join(folder, LOCK_FILE), flags, 0o600, (error, descriptor) => {
    if (error?.code === "EAGAIN") done(inUse(folder), null);
    else if (error?.code === "ENOENT")
      done(
        new DiskError(
          "not_found",
          `There is no folder ${folder}; check whether its device is mounted.`,
          error,
        ),
        null,
      );
    else if (error !== null)
      done(new DiskError("io", `The lock of ${folder} cannot be opened.`, error), null);
    else if (isLinux) lockDescriptor(folder, descriptor, done);
    else done(null, descriptor);
  });
}

function lockDescriptor(folder: string, descriptor: number, done: LockDone): void {
  let isDone = false;
  const end = (error: DiskError | null): void => {
    if (isDone) return;
    isDone = true;
    if (error === null) done(null, descriptor);
    else close(descriptor, () => done(error, null));
  };
  const child = spawn("flock", ["-n", "3"], { stdio: ["ignore", "ignore", "ignore", descriptor] });
  child.on("error", (error) => {
    const message = `flock(1) is needed to lock ${folder}; install util-linux.`;
    end(new DiskError("unsupported", message, error));
  });
  child.on("exit", (code) => end(code === 0 ? null : inUse(folder)));
}

function inUse(folder: string): DiskError {
  return new DiskError("locked", `Another process uses ${folder}; stop it first.`);
}
