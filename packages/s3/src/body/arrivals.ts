/**
 * Pieces of a stream as they arrive. The stream's own iterator takes several promises, and a reader with a deadline a
 * timer, for every piece; here both are taken only by a reader that finds none.
 */
import type { Readable } from "node:stream";

/** Bytes that may wait for the reader before the stream pauses. */
const WAITING_BYTES_MAX = 131_072;

export class Arrivals {
  readonly #stream: Readable;
  readonly #pieces: Buffer[] = [];
  #waitingBytes = 0;
  #isEnded = false;
  #failure: Error | null = null;
  #wake: (() => void) | null = null;

  constructor(stream: Readable) {
    this.#stream = stream;
    stream
      .on("data", this.#arrived)
      .on("end", this.#ended)
      .on("error", this.#failed)
      .on("close", this.#closed);
    // An earlier reader may have left the stream paused.
    stream.resume();
    if (stream.readableEnded) this.#ended();
    else if (stream.destroyed) this.#closed();
  }

  /**
   * Returns the next piece; null at the end of the stream, undefined if none has arrived. Throws an Error if the stream
   * broke.
   */
  take(): Buffer | null | undefined {
    const piece = this.#pieces.shift();
    if (piece !== undefined) {
      this.#waitingBytes -= piece.length;
      if (this.#stream.isPaused() && this.#waitingBytes < WAITING_BYTES_MAX) this.#stream.resume();
      return piece;
    }
    if (this.#failure !== null) throw this.#failure;
    return this.#isEnded ? null : undefined;
  }

  /** Calls `wake` once `take` returns a piece or the end, or throws. */
  wait(wake: () => void): void {
    this.#wake = wake;
  }

  /** Drops the pieces that have arrived and were not taken, and leaves the stream paused, with the bytes after them. */
  stop(): void {
    const stream = this.#stream;
    stream
      .off("data", this.#arrived)
      .off("end", this.#ended)
      .off("error", this.#failed)
      .off("close", this.#closed);
    if (!stream.readableEnded) stream.pause();
  }

  readonly #arrived = (piece: Buffer): void => {
    this.#pieces.push(piece);
    this.#waitingBytes += piece.length;
    if (this.#waitingBytes >= WAITING_BYTES_MAX) this.#stream.pause();
    this.#awake();
  };

  readonly #ended = (): void => {
    this.#isEnded = true;
    this.#awake();
  };

  readonly #failed = (error: Error): void => {
    this.#failure ??= error;
    this.#awake();
  };

  readonly #closed = (): void => {
    if (!this.#isEnded)
      this.#failed(this.#stream.errored ?? new Error("The stream was closed before its end."));
  };

  #awake(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }
}
