/**
 * Creates upload ids: 32 bits of the wall clock, in quarters of a second, and 96 random bits. Ids of uploads that arrive
 * together thus begin alike, and their records share pages of an index. That is all that the time is for: clocks jump,
 * coordinators differ, the number starts again after 34 years, and the ids of older uploads are random.
 */
import type { UploadId } from "./shard.ts";

const TICK_MS = 250;
const TIME_BYTES = 4;
const ID_BYTES = 16;

export function createUploadId(wallMs: number, randomBytes: (count: number) => Buffer): UploadId {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeUInt32BE(Math.floor(wallMs / TICK_MS) % 2 ** 32);
  return time.toString("hex") + randomBytes(ID_BYTES - TIME_BYTES).toString("hex");
}
