/** Sizes of records on the log of a pod or stash, as packages/shard-log/FORMAT.md defines them. */
export const recordSizes = { recordHeaderBytes: 96, recordAlignBytes: 64 } as const;

export interface RecordSizes {
  readonly recordHeaderBytes: number;
  readonly recordAlignBytes: number;
}

/** Bytes of one record: header and payload, rounded up to the alignment. */
export function recordBytes(
  payloadBytes: number,
  { recordHeaderBytes, recordAlignBytes }: RecordSizes = recordSizes,
): number {
  return Math.ceil((payloadBytes + recordHeaderBytes) / recordAlignBytes) * recordAlignBytes;
}
