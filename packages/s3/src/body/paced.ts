/** Reads a request's body, and drops a client that stalls or crawls. */
import assert from "node:assert/strict";
import type { Readable } from "node:stream";
import { S3Error } from "../errors.ts";
import type { S3Limits } from "../limits.ts";
import { Arrivals } from "./arrivals.ts";

export type Pace = Pick<S3Limits, "idleTimeoutMs" | "bodyBytesPerSecondMin" | "slowBodyGraceMs">;

/** Only time spent waiting for the client counts, not time in which the store is busy. */
export async function* readPaced(
  stream: Readable,
  pace: Pace,
  onStart: () => void = () => {},
): AsyncGenerator<Buffer, void, undefined> {
  onStart();
  const arrivals = new Arrivals(stream);
  const idleTimeout = new IdleTimeout(pace.idleTimeoutMs);
  let waitedMs = 0;
  let receivedBytes = 0;
  try {
    for (;;) {
      let piece = take(arrivals);
      if (piece === undefined) {
        const startedMs = performance.now();
        await idleTimeout.wait(arrivals);
        waitedMs += performance.now() - startedMs;
        piece = take(arrivals);
        assert(piece !== undefined, "A stream wakes its reader for a piece or for its end.");
      }
      if (piece === null) return;
      receivedBytes += piece.length;
      if (waitedMs > pace.slowBodyGraceMs && receivedBytes * 1000 < waitedMs * pace.bodyBytesPerSecondMin) {
        throw timeout(`The body arrived at less than ${pace.bodyBytesPerSecondMin} bytes per second.`);
      }
      yield piece;
    }
  } finally {
    idleTimeout.end();
    arrivals.stop();
  }
}

function take(arrivals: Arrivals): Buffer | null | undefined {
  try {
    return arrivals.take();
  } catch (cause) {
    throw new S3Error("IncompleteBody", "The connection ended before the body did.", {
      cause,
      closesConnection: true,
    });
  }
}

/** Waits for a client, with the same limit each time and a single timer for the whole body. */
class IdleTimeout {
  readonly #idleTimeoutMs: number;
  #timer: NodeJS.Timeout | null = null;
  #giveUp: ((error: S3Error) => void) | null = null;

  constructor(idleTimeoutMs: number) {
    this.#idleTimeoutMs = idleTimeoutMs;
  }

  wait(arrivals: Arrivals): Promise<void> {
    this.#timer = this.#timer?.refresh() ?? setTimeout(() => this.#expire(), this.#idleTimeoutMs);
    return new Promise((resolve, reject) => {
      this.#giveUp = reject;
      arrivals.wait(() => {
        this.#giveUp = null;
        resolve();
      });
    });
  }

  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /** If this process was the one that stalled, reads what arrived meanwhile before blaming the client. */
  #expire(): void {
    const giveUp = this.#giveUp;
    if (giveUp === null) return;
    setImmediate(() => {
      if (this.#giveUp === giveUp)
        giveUp(timeout(`No part of the body arrived for ${this.#idleTimeoutMs} ms.`));
    });
  }
}

function timeout(message: string): S3Error {
  return new S3Error("RequestTimeout", message, { closesConnection: true });
}
