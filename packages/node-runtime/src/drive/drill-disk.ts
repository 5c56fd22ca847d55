/**
 * A disk for drills: written data stays in this process's memory until it is synced, and reads see it. Killing the
 * process then loses what a power cut would lose; on another disk the system's page cache would keep it.
 */
import type { Disk, DiskDone, DiskError, DiskFile, FileDone } from "@stashlight/shard-log";

export function drillDisk(disk: Disk): Disk {
  const wrapped =
    (done: FileDone): FileDone =>
    (error, file) =>
      done(error, file === null ? null : new DrillFile(file));
  return {
    list: (done) => disk.list(done),
    create: (name, sizeBytes, done) => disk.create(name, sizeBytes, wrapped(done)),
    open: (name, done) => disk.open(name, wrapped(done)),
  };
}

interface HeldWrite {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

class DrillFile implements DiskFile {
  readonly #file: DiskFile;
  /** Unsynced writes, oldest first. */
  #held: HeldWrite[] = [];
  /** Writes on their way to the file, which are older than all held ones. */
  #passing: readonly HeldWrite[] = [];
  /** Pending transfers to the file, one at a time, because a later write may overlap an earlier one. */
  readonly #passes: (() => void)[] = [];

  constructor(file: DiskFile) {
    this.#file = file;
  }

  get sizeBytes(): number {
    return this.#file.sizeBytes;
  }

  write(offset: number, bytes: Uint8Array, done: DiskDone): void {
    this.#held.push({ offset, bytes: bytes.slice() });
    setImmediate(done, null);
  }

  sync(done: DiskDone): void {
    this.#passOn((error) => {
      if (error === null) this.#file.sync(done);
      else done(error);
    });
  }

  read(offset: number, target: Uint8Array, done: DiskDone): void {
    // Collected before the read: a write that reaches the file meanwhile is either in the file or overlaid here.
    const over = [...this.#passing, ...this.#held];
    this.#file.read(offset, target, (error) => {
      if (error === null) for (const write of over) overlay(write, offset, target);
      done(error);
    });
  }

  readDirect(offset: number, target: Uint8Array, done: DiskDone): void {
    this.#file.readDirect(offset, target, done);
  }

  /** Written data survives the close of the file, as with the page cache of a system. */
  close(done: DiskDone): void {
    this.#passOn((error) => this.#file.close((unclosed) => done(error ?? unclosed)));
  }

  /**
   * Writes to the file the data held at the moment of the call. After an error the data is dropped, as an operating
   * system does.
   */
  #passOn(done: DiskDone): void {
    const writes = this.#held;
    const start = (): void => {
      writeEach(this.#file, writes, 0, (error) => {
        this.#passing = this.#passing.slice(writes.length);
        this.#passes.shift();
        this.#passes[0]?.();
        done(error);
      });
    };
    this.#held = [];
    this.#passing = [...this.#passing, ...writes];
    this.#passes.push(start);
    if (this.#passes.length === 1) start();
  }
}

function writeEach(file: DiskFile, writes: readonly HeldWrite[], at: number, done: DiskDone): void {
  const next = writes[at];
  if (next === undefined) {
    setImmediate(done, null);
    return;
  }
  file.write(next.offset, next.bytes, (error: DiskError | null) => {
    if (error === null) writeEach(file, writes, at + 1, done);
    else done(error);
  });
}

function overlay({ offset, bytes }: HeldWrite, targetOffset: number, target: Uint8Array): void {
  const from = Math.max(offset, targetOffset);
  const to = Math.min(offset + bytes.length, targetOffset + target.length);
  if (from < to) target.set(bytes.subarray(from - offset, to - offset), from - targetOffset);
}
