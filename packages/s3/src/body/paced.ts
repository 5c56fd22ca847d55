/** Reads a request's body, and drops a client that stalls or crawls. */
import type { Readable } from "node:stream";
import { S3Error } from "../errors.ts";
import type { S3Limits } from "../limits.ts";

export type Pace = Pick<S3Limits, "idleTimeoutMs" | "bodyBytesPerSecondMin" | "slowBodyGraceMs">;

/** Only time spent waiting for the client counts, not time in which the store is busy. */
export async function* readPaced(stream: Readable, pace: Pace): AsyncGenerator<Buffer, void, undefined> {
  const iterator = stream.iterator({ destroyOnReturn: false });
  let waitedMs = 0;
  let receivedBytes = 0;
  try {
    for (;;) {
      const startedMs = performance.now();
      const piece = await nextWithin(iterator, pace.idleTimeoutMs);
      if (piece === null) return;
      waitedMs += performance.now() - startedMs;
      receivedBytes += piece.length;
      if (waitedMs > pace.slowBodyGraceMs && receivedBytes * 1000 < waitedMs * pace.bodyBytesPerSecondMin) {
        throw timeout(`The body arrived at less than ${pace.bodyBytesPerSecondMin} bytes per second.`);
      }
      yield piece;
    }
  } finally {
    // Not awaited, because after a timeout the iterator still waits for the client.
    iterator.return?.().catch(() => undefined);
  }
}

async function nextWithin(iterator: AsyncIterator<Buffer>, idleTimeoutMs: number): Promise<Buffer | null> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    const giveUp = () => reject(timeout(`No part of the body arrived for ${idleTimeoutMs} ms.`));
    // If this process was the one that stalled, reads what arrived meanwhile before blaming the client.
    timer = setTimeout(() => setImmediate(giveUp), idleTimeoutMs);
  });
  try {
    const result = await Promise.race([iterator.next(), silence]);
    return result.done ? null : result.value;
  } catch (error) {
    if (error instanceof S3Error) throw error;
    throw new S3Error("IncompleteBody", "The connection ended before the body did.", {
      cause: error,
      closesConnection: true,
    });
  } finally {
    clearTimeout(timer);
  }
}

function timeout(message: string): S3Error {
  return new S3Error("RequestTimeout", message, { closesConnection: true });
}
