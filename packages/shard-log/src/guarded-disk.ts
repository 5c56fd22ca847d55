/**
 * A disk whose callbacks run within a guard, which receives their errors. Except for its calls, all work of a log
 * begins in such callbacks.
 */
import type { Disk, DiskDone, DiskFile, FileDone } from "./disk.ts";

type Guard = (action: () => void) => void;

/** Owner of the callbacks; there is no index before there is a volume. */
export interface GuardScope {
  volume: { guard: Guard } | null;
}

export function guardedDisk(disk: Disk, scope: GuardScope): Disk {
  const guard: Guard = (action) => {
    if (scope.volume === null) action();
    else scope.volume.guard(action);
  };
  const guardedFile =
    (done: FileDone): FileDone =>
    (error, file) =>
      guard(() => done(error, file === null ? null : guardFile(file, guard)));
  return {
    list: (done) => disk.list((error, names) => guard(() => done(error, names))),
    create: (name, sizeBytes, done) => disk.create(name, sizeBytes, guardedFile(done)),
    open: (name, done) => disk.open(name, guardedFile(done)),
  };
}

function guardFile(file: DiskFile, guard: Guard): DiskFile {
  const guarded =
    (done: DiskDone): DiskDone =>
    (error) =>
      guard(() => done(error));
  const { sizeBytes, writeDurably } = file;
  return {
    sizeBytes,
    write: (offset, bytes, done) => file.write(offset, bytes, guarded(done)),
    sync: (done) => file.sync(guarded(done)),
    ...(writeDurably !== undefined && {
      writeDurably: (offset, bytes, done) => writeDurably(offset, bytes, guarded(done)),
    }),
    read: (offset, target, done) => file.read(offset, target, guarded(done)),
    readDirect: (offset, target, done) => file.readDirect(offset, target, guarded(done)),
    close: (done) => file.close(guarded(done)),
  };
}
