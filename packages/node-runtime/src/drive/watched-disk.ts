/**
 * A disk that reports failed reads, the age of its oldest unanswered call, because a device may hang without an error,
 * and its last use by clients: writes, syncs and reads that may come from the page cache. Scrubs, compaction and
 * recovery use direct reads.
 */
import type { Disk, DiskDone, DiskError, DiskFile, FileDone } from "@stashlight/shard-log";

export type ReadFailed = (file: string, offset: number, bytes: number, error: DiskError) => void;

export class OpenCalls {
  /** Calls in progress, in the order in which they began. */
  readonly #startsMs = new Set<{ readonly startMs: number }>();
  readonly #nowMs: () => number;
  #usedMs = Number.NEGATIVE_INFINITY;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Returns a function to call when the call is answered. */
  begin(): () => void {
    const call = { startMs: this.#nowMs() };
    this.#startsMs.add(call);
    return () => this.#startsMs.delete(call);
  }

  /** Like `begin`, for a call caused by clients. */
  beginUse(): () => void {
    this.#usedMs = this.#nowMs();
    const end = this.begin();
    return () => {
      this.#usedMs = this.#nowMs();
      end();
    };
  }

  /** Time since the last call for clients began or ended; infinite before the first. */
  unusedMs(): number {
    return this.#nowMs() - this.#usedMs;
  }

  /** Age of the oldest call in progress; zero if there is none. */
  oldestMs(): number {
    for (const { startMs } of this.#startsMs) return this.#nowMs() - startMs;
    return 0;
  }
}

export function watchedDisk(disk: Disk, calls: OpenCalls, readFailed: ReadFailed = () => {}): Disk {
  // Made here, because a closure beside `done` would keep the data read by the opening in memory for as long as the
  // file is open.
  const readsOf =
    (name: string) =>
    (offset: number, bytes: number, error: DiskError): void =>
      readFailed(name, offset, bytes, error);
  const opened = (name: string, done: FileDone): FileDone => {
    const end = calls.begin();
    return (error, file) => {
      end();
      done(error, file === null ? null : watchedFile(file, calls, readsOf(name)));
    };
  };
  return {
    list: (done) => disk.list(done),
    create: (name, sizeBytes, done) => disk.create(name, sizeBytes, opened(name, done)),
    open: (name, done) => disk.open(name, opened(name, done)),
  };
}

function watchedFile(
  file: DiskFile,
  calls: OpenCalls,
  readFailed: (offset: number, bytes: number, error: DiskError) => void,
): DiskFile {
  const watched =
    (end: () => void, done: DiskDone): DiskDone =>
    (error) => {
      end();
      done(error);
    };
  const used = (done: DiskDone): DiskDone => watched(calls.beginUse(), done);
  const reported =
    (offset: number, bytes: number, done: DiskDone): DiskDone =>
    (error) => {
      if (error !== null) readFailed(offset, bytes, error);
      done(error);
    };
  const { writeDurably } = file;
  return {
    sizeBytes: file.sizeBytes,
    write: (offset, bytes, done) => file.write(offset, bytes, used(done)),
    sync: (done) => file.sync(used(done)),
    writeDurably: writeDurably && ((offset, bytes, done) => writeDurably(offset, bytes, used(done))),
    read: (offset, target, done) => file.read(offset, target, used(reported(offset, target.length, done))),
    readDirect: (offset, target, done) =>
      file.readDirect(offset, target, watched(calls.begin(), reported(offset, target.length, done))),
    close: (done) => file.close(done),
  };
}
