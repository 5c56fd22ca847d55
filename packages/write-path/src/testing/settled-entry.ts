import type { EntryView } from "../pod/entry.ts";
import type { UploadHeader } from "../shard.ts";
import { formatOrder } from "../version-order.ts";
import { uploadOf } from "./samples.ts";

/** An entry at rest, of an object of the bucket `photos`; its arrival numbers everything. */
export function settledEntryOf(
  arrival: number,
  upload: Pick<UploadHeader, "key"> & Partial<UploadHeader>,
): EntryView<number> {
  return {
    upload: uploadOf(arrival, { bucket: "photos", order: formatOrder(arrival, 0, 1), ...upload }),
    signedCrc: arrival,
    state: "durable",
    position: arrival,
    bornMs: 0,
    wasKnown: false,
    outcome: "complete",
    arrival,
    bucket: arrival % 1024,
    waiting: null,
  };
}
