/**
 * A disk that fails on demand, for drills and tests. A fault is switched on and off while the drive is in use, and
 * failed requests never reach the device:
 *
 *     eio            syncs fail, and earlier writes may be lost; reads still work
 *     eio-reads      reads fail; writes and syncs still work
 *     garbled-reads  reads return wrong bytes, different each time; writes and syncs still work
 *     enospc         writes fail, and new files cannot be created
 *     hang           nothing is answered until the fault ends, and then everything is
 *     slow           every answer comes late
 */
import { type Disk, type DiskDone, DiskError, type DiskFile, type FileDone } from "@stashlight/shard-log";

export const FAULTS = ["none", "eio", "eio-reads", "garbled-reads", "enospc", "hang", "slow"] as const;
export type Fault = (typeof FAULTS)[number];

const SLOW_BY_MS = 200;
/** Garbles one byte in each place where a record may begin (shard-log/FORMAT.md), so that no record escapes. */
const GARBLED_EVERY_BYTES = 64;

/** The fault of one drive, which persists across the boots of the drive. */
export class FaultSwitch {
  #fault: Fault = "none";
  #hanging: (() => void)[] = [];
  #garbledReadCount = 0;

  get fault(): Fault {
    return this.#fault;
  }

  set(fault: Fault): void {
    this.#fault = fault;
    if (fault === "hang") return;
    for (const goOn of this.#hanging.splice(0)) this.pass(goOn);
  }

  garble(read: Uint8Array): void {
    this.#garbledReadCount += 1;
    const mask = 1 + (this.#garbledReadCount % 255);
    for (let at = this.#garbledReadCount % GARBLED_EVERY_BYTES; at < read.length; at += GARBLED_EVERY_BYTES)
      read[at] = (read[at] as number) ^ mask;
  }

  /** Continues at once, later, or when the drive no longer hangs. */
  pass(goOn: () => void): void {
    if (this.#fault === "hang") this.#hanging.push(goOn);
    else if (this.#fault === "slow") setTimeout(goOn, SLOW_BY_MS);
    else goOn();
  }
}

export function faultDisk(disk: Disk, faults: FaultSwitch): Disk {
  const wrapped =
    (done: FileDone): FileDone =>
    (error, file) =>
      done(error, file === null ? null : faultFile(file, faults));
  return {
    list: (done) => faults.pass(() => disk.list(done)),
    create: (name, sizeBytes, done) =>
      faults.pass(() => {
        const error = durableWriteFailed(faults);
        if (error !== null) setImmediate(done, error, null);
        else disk.create(name, sizeBytes, wrapped(done));
      }),
    open: (name, done) => faults.pass(() => disk.open(name, wrapped(done))),
  };
}

function faultFile(file: DiskFile, faults: FaultSwitch): DiskFile {
  const { writeDurably } = file;
  return {
    sizeBytes: file.sizeBytes,
    write: (offset, bytes, done) =>
      faults.pass(() => {
        const error = writeFailed(faults);
        if (error !== null) failSoon(error, done);
        else file.write(offset, bytes, done);
      }),
    sync: (done) =>
      faults.pass(() => {
        if (faults.fault === "eio") failSoon(syncFailed(), done);
        else file.sync(done);
      }),
    writeDurably:
      writeDurably &&
      ((offset, bytes, done) =>
        faults.pass(() => {
          const error = durableWriteFailed(faults);
          if (error !== null) failSoon(error, done);
          else writeDurably(offset, bytes, done);
        })),
    read: (offset, target, done) =>
      faults.pass(() => {
        if (faults.fault === "eio-reads") failSoon(readFailed(), done);
        else file.read(offset, target, garbling(faults, target, done));
      }),
    readDirect: (offset, target, done) =>
      faults.pass(() => {
        if (faults.fault === "eio-reads") failSoon(readFailed(), done);
        else file.readDirect(offset, target, garbling(faults, target, done));
      }),
    close: (done) => file.close(done),
  };
}

function garbling(faults: FaultSwitch, target: Uint8Array, done: DiskDone): DiskDone {
  return (error) => {
    if (error === null && faults.fault === "garbled-reads") faults.garble(target);
    done(error);
  };
}

const syncFailed = (): DiskError => new DiskError("io", "fdatasync failed: EIO, injected by a drill.");

const readFailed = (): DiskError =>
  new DiskError("io", "A read failed: EIO, injected by a drill.", { code: "EIO" });

function writeFailed({ fault }: FaultSwitch): DiskError | null {
  return fault === "enospc"
    ? new DiskError("no_space", "A write failed: ENOSPC, injected by a drill.")
    : null;
}

function durableWriteFailed(faults: FaultSwitch): DiskError | null {
  return faults.fault === "eio" ? syncFailed() : writeFailed(faults);
}

function failSoon(error: DiskError, done: DiskDone): void {
  setImmediate(done, error);
}
