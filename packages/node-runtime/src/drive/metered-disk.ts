/**
 * A disk that reports its syncs, writes and reads to a meter, from the call to its answer. A durable write counts as a
 * sync: it lasts as long as its sync, except for the copy into the page cache.
 */
import type { Disk, DiskDone, DiskFile } from "@stashlight/shard-log";

export interface DiskMeter {
  sync(durationUs: number, isFailed: boolean): void;
  write(durationUs: number, bytes: number, isFailed: boolean): void;
  read(durationUs: number, bytes: number, isFailed: boolean): void;
}

export function meteredDisk(disk: Disk, meter: DiskMeter, nowUs: () => number): Disk {
  const wrap = (file: DiskFile | null): DiskFile | null =>
    file === null ? null : wrapFile(file, meter, nowUs);
  return {
    list: (done) => disk.list(done),
    create: (name, sizeBytes, done) => disk.create(name, sizeBytes, (error, file) => done(error, wrap(file))),
    open: (name, done) => disk.open(name, (error, file) => done(error, wrap(file))),
  };
}

function wrapFile(file: DiskFile, meter: DiskMeter, nowUs: () => number): DiskFile {
  const timed = (tell: (durationUs: number, isFailed: boolean) => void, done: DiskDone): DiskDone => {
    const startUs = nowUs();
    return (error) => {
      tell(nowUs() - startUs, error !== null);
      done(error);
    };
  };
  const { writeDurably } = file;
  return {
    sizeBytes: file.sizeBytes,
    write: (offset, bytes, done) =>
      file.write(
        offset,
        bytes,
        timed((us, isFailed) => meter.write(us, bytes.length, isFailed), done),
      ),
    sync: (done) => file.sync(timed((us, isFailed) => meter.sync(us, isFailed), done)),
    writeDurably:
      writeDurably &&
      ((offset, bytes, done) =>
        writeDurably(
          offset,
          bytes,
          timed((us, isFailed) => meter.sync(us, isFailed), done),
        )),
    read: (offset, target, done) =>
      file.read(
        offset,
        target,
        timed((us, isFailed) => meter.read(us, target.length, isFailed), done),
      ),
    readDirect: (offset, target, done) =>
      file.readDirect(
        offset,
        target,
        timed((us, isFailed) => meter.read(us, target.length, isFailed), done),
      ),
    close: (done) => file.close(done),
  };
}
