/** Complete reads and writes despite short system calls, and the classification of their errors. */
import { read, write } from "node:fs";
import { type DiskDone, DiskError } from "../disk.ts";

export function failure(doing: string, error: NodeJS.ErrnoException): DiskError {
  const isFull = error.code === "ENOSPC" || error.code === "EDQUOT" || error.code === "EFBIG";
  const code = isFull
    ? "no_space"
    : error.code === "ENOENT"
      ? "not_found"
      : error.code === "EEXIST"
        ? "exists"
        : "io";
  return new DiskError(code, `${doing}: ${error.message}.`, error);
}

/** Writes all bytes, even if the system accepts few at a time; a count of 0 is an error only while bytes are left. */
export function writeAll(
  descriptor: number,
  offset: number,
  bytes: Uint8Array,
  at: number,
  done: DiskDone,
): void {
  write(descriptor, bytes, at, bytes.length - at, offset + at, (error, count) => {
    if (error !== null) done(failure("A write failed", error));
    else if (at + count === bytes.length) done(null);
    else if (count === 0) done(new DiskError("no_space", "The device accepts no more bytes."));
    else writeAll(descriptor, offset, bytes, at + count, done);
  });
}

/**
 * Fills the target; a count of 0 is the end of the file only while bytes are missing, because an empty target is
 * already full.
 */
export function readAll(
  descriptor: number,
  offset: number,
  target: Uint8Array,
  at: number,
  done: DiskDone,
): void {
  read(descriptor, target, at, target.length - at, offset + at, (error, count) => {
    if (error !== null) done(failure("A read failed", error));
    else if (at + count === target.length) done(null);
    else if (count === 0) done(new DiskError("io", "The file is shorter than when it was created."));
    else readAll(descriptor, offset, target, at + count, done);
  });
}
