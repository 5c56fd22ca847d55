import { refusal } from "./http/answer.ts";
import type { Ingest } from "./ingest.ts";

const CROWDED_SECONDS = 2;

/** Memory is given away before it is used, so that many large bodies at once are told to come again. */
export async function withRoomFor<Result>(
  ingest: Ingest,
  bytes: number,
  action: () => Promise<Result>,
): Promise<Result> {
  if (ingest.waitingBytes > 0 && ingest.waitingBytes + bytes > ingest.limits.waitingBytesMax) {
    throw refusal(503, "The ingest has all that it can hold; come again.", {
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
