/**
 * The disk a log runs on, as callbacks: a simulator with a virtual clock stands behind it as well as a file system.
 * Contract of every method: `done` is called exactly once and never before the call has returned; a buffer that is
 * handed over belongs to the operation until then. A buffer without bytes is written, or filled, without an error.
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

/** One folder of one device, held by one log. */
export interface Disk {
  list(done: (error: DiskError | null, names: readonly string[]) => void): void;
  /**
   * A file of this size, zero-filled, durable together with its directory entry before `done`. Whatever happens before
   * that, a file with this name is always whole.
   */
  create(name: string, sizeBytes: number, done: FileDone): void;
  open(name: string, done: FileDone): void;
}

export type DurableWrite = (offset: number, bytes: Uint8Array, done: DiskDone) => void;

export interface DiskFile {
  readonly sizeBytes: number;
  /** All of the bytes at `offset`; short writes are looped over inside. */
  write(offset: number, bytes: Uint8Array, done: DiskDone): void;
  /**
   * What was written before this call and is not on the medium when `done(null)` comes was lied about, unless another
   * sync of this file was in flight: a failure may then be told to that one alone, so the log never has two.
   */
  sync(done: DiskDone): void;
  /**
   * As `write` and a `sync` of it, for devices that do both in one call; what was written before and not synced may
   * stay so. Where it is absent, the log calls the two.
   */
  readonly writeDurably?: DurableWrite | undefined;
  /** Fills `target`; what was written and not yet synced is seen. A range past the end is an error. */
  read(offset: number, target: Uint8Array, done: DiskDone): void;
  /** As `read`, but from the medium, past every cache of this machine. Offset and length are whole 4 KiB pages. */
  readDirect(offset: number, target: Uint8Array, done: DiskDone): void;
  close(done: DiskDone): void;
}
