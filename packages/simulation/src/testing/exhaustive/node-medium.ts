/**
 * The medium of one node of the small vault, as plain data. A write to a pod's page cache is answered at once; a flush
 * is one later event that makes durable everything written before it began. On a stash device each waiting record may
 * be the next to become durable; a group commit of several is several such events with nothing in between. Reads are
 * answered at once. Records that are cached, waiting, being synced or killed may or may not survive a power cut.
 */
import assert from "node:assert/strict";
import type { StashLog } from "@stashlight/shard-store/shell";
import type { LogEvent, Refusal, Shard, UploadId } from "@stashlight/write-path";
import type { Position } from "./machines.ts";

export interface MediumRecord {
  readonly shard: Shard;
  readonly position: Position;
  state: "cached" | "syncing" | "durable" | "killed";
}

export interface NodeMedium {
  readonly records: MediumRecord[];
  readonly promises: { readonly refusal: Refusal; isDurable: boolean; isPending: boolean }[];
  isFlushing: boolean;
  /** Counts changes of the medium. */
  revision: number;
}

export type MediumEvent =
  | { readonly type: "flushed" }
  | { readonly type: "committed"; readonly position: Position }
  | { readonly type: "promiseSynced"; readonly uploadId: UploadId };

export function write(node: NodeMedium, shard: Shard): MediumRecord {
  const record: MediumRecord = { shard, position: node.records.length + 1, state: "cached" };
  node.records.push(record);
  node.revision += 1;
  return record;
}

/** Records a promise; the same refusal promised twice counts once. */
export function promise(node: NodeMedium, refusal: Refusal): void {
  const { uploadId, isKnowing } = refusal;
  const said = node.promises.find(
    (p) => p.refusal.uploadId === uploadId && p.refusal.isKnowing === isKnowing,
  );
  if (said) said.isPending = true;
  else node.promises.push({ refusal, isDurable: false, isPending: true });
  node.revision += 1;
}

export function arrived({ shard, position }: MediumRecord): LogEvent<Position> {
  return { type: "appended", uploadId: shard.upload.uploadId, shardIndex: shard.shardIndex, position };
}

export function beginSync(node: NodeMedium): void {
  node.isFlushing = true;
  for (const record of node.records) if (record.state === "cached") record.state = "syncing";
}

export function endSync(node: NodeMedium): void {
  const covered = node.records.filter((record) => record.state === "syncing");
  for (const record of covered) record.state = "durable";
  node.revision += 1;
}

export function killAndLoad(
  node: NodeMedium,
  onKill: (record: MediumRecord) => void,
  answer: (event: LogEvent<Position>) => void,
): Pick<StashLog<Position>, "kill" | "load"> {
  const recordAt = (position: Position): MediumRecord => {
    const record = node.records[position - 1];
    assert(record !== undefined, "a machine named a position that its log never gave");
    return record;
  };
  return {
    load: (loadId, position) => {
      const { state, shard } = recordAt(position);
      answer({
        type: "loaded",
        loadId,
        read: state === "killed" ? { type: "gone" } : { type: "shard", shard },
      });
    },
    kill: (position) => {
      const record = recordAt(position);
      if (record.state !== "killed") onKill({ ...record });
      record.state = "killed";
      node.revision += 1;
    },
  };
}

export function logged({ records }: NodeMedium) {
  return records.map(({ shard, position }) => {
    const { upload, shardIndex, payloadCrc } = shard;
    return { upload, shardIndex, payloadCrc, position, outcome: null };
  });
}

/** Medium events in progress at this node. */
export function possibleMediumEvents(node: NodeMedium & { readonly kind: string }): MediumEvent[] {
  const events: MediumEvent[] = node.isFlushing ? [{ type: "flushed" }] : [];
  for (const { position, state } of node.kind === "stash" ? node.records : []) {
    if (state === "cached") events.push({ type: "committed", position });
  }
  for (const { refusal, isPending } of node.promises) {
    if (isPending) events.push({ type: "promiseSynced", uploadId: refusal.uploadId });
  }
  return events;
}
