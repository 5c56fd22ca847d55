/** A disk that can tell how long its oldest call has gone unanswered: a device may hang and never say so. */
import type { Disk, DiskDone, DiskFile, FileDone } from "@stashlight/shard-log";

export class OpenCalls {
  /** In the order in which they began. */
  readonly #startsMs = new Set<{ readonly startMs: number }>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** To be called when the call is answered. */
  begin(): () => void {
    const call = { startMs: this.#nowMs() };
    this.#startsMs.add(call);
    return () => this.#startsMs.delete(call);
  }

  /** Zero when nothing waits. */
  oldestMs(): number {
    for (const { startMs } of this.#startsMs) return this.#nowMs() - startMs;
    return 0;
  }
}

export function watchedDisk(disk: Disk, calls: OpenCalls): Disk {
  const opened = (done: FileDone): FileDone => {
    const end = calls.begin();
    return (error, file) => {
      end();
      done(error, file === null ? null : watchedFile(file, calls));
    };
  };
  return {
    list: (done) => disk.list(done),
    create: (name, sizeBytes, done) => disk.create(name, sizeBytes, opened(done)),
    open: (name, done) => disk.open(name, opened(done)),
  };
}

function watchedFile(file: DiskFile, calls: OpenCalls): DiskFile {
  const watched = (done: DiskDone): DiskDone => {
    const end = calls.begin();
    return (error) => {
      end();
      done(error);
    };
  };
  const { writeDurably } = file;
  return {
    sizeBytes: file.sizeBytes,
    write: (offset, bytes, done) => file.write(offset, bytes, watched(done)),
    sync: (done) => file.sync(watched(done)),
    writeDurably: writeDurably && ((offset, bytes, done) => writeDurably(offset, bytes, watched(done))),
    read: (offset, target, done) => file.read(offset, target, watched(done)),
    readDirect: (offset, target, done) => file.readDirect(offset, target, watched(done)),
    close: (done) => file.close(done),
  };
}
