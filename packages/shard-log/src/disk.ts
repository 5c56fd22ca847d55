/**
 * The disk of a log, with callbacks, so that a simulator with a virtual clock can provide it as well as a file system.
 * Contract of every method: `done` is called exactly once and never before the call has returned; until then a buffer
 * passed in belongs to the operation. A zero-length buffer is written, or filled, without an error.
 */
export type DiskErrorCode = "io" | "no_space" | "not_found" | "exists" | "unsupported" | "locked";

export class DiskError extends Error {
  override readonly name = "DiskError";
  readonly code: DiskErrorCode;

  constructor(code: DiskErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

export type DiskDone = (error: DiskError | null) => void;
export type FileDone = (error: DiskError | null, file: DiskFile | null) => void;

/** One folder of one device, used by one log. */
export interface Disk {
  list(done: (error: DiskError | null, names: readonly string[]) => void): void;
  /**
   * Creates a zero-filled file of this size, durable together with its directory entry before `done`. At every moment
   * before that, a file with this name is complete if it exists.
   */
  create(name: string, sizeBytes: number, done: FileDone): void;
  open(name: string, done: FileDone): void;
}

export type DurableWrite = (offset: number, bytes: Uint8Array, done: DiskDone) => void;

export interface DiskFile {
  readonly sizeBytes: number;
  /** Writes all of the bytes at `offset`; short writes are continued internally. */
  write(offset: number, bytes: Uint8Array, done: DiskDone): void;
  /**
   * Syncs the file. Data written before this call but missing from the medium at `done(null)` was falsely reported,
   * unless another sync of this file was in flight: the system may then report a failure only to that one, so the log
   * never has two.
   */
  sync(done: DiskDone): void;
  /**
   * Like `write` followed by `sync`, for devices that do both in one call; earlier unsynced writes may stay unsynced.
   * If absent, the log calls the two.
   */
  readonly writeDurably?: DurableWrite | undefined;
  /** Fills `target`, including written data that is not yet synced. A range past the end is an error. */
  read(offset: number, target: Uint8Array, done: DiskDone): void;
  /** Like `read`, but from the medium, past every cache of this machine. Offset and length are whole 4 KiB pages. */
  readDirect(offset: number, target: Uint8Array, done: DiskDone): void;
  close(done: DiskDone): void;
}
