import { refusal } from "./http/answer.ts";
import type { Ingest } from "./ingest.ts";

const CROWDED_SECONDS = 2;

/** Reserves memory before it is used: if too many large bodies arrive at once, their senders are asked to retry. */
export async function withBodyMemory<Result>(
  ingest: Ingest,
  bytes: number,
  action: () => Promise<Result>,
): Promise<Result> {
  if (ingest.waitingBytes > 0 && ingest.waitingBytes + bytes > ingest.limits.waitingBytesMax) {
    throw refusal(503, "The ingest's memory for batches is full; try again later.", {
      retryAfterSeconds: CROWDED_SECONDS,
    });
  }
  ingest.waitingBytes += bytes;
  try {
    return await action();
  } finally {
    ingest.waitingBytes -= bytes;
  }
}
