/** The small vault that is searched: 2+1, three pods, three stash devices on separate servers, one coordinator. */
import type {
  Address,
  Condition,
  CoordinatorEvent,
  PutRequest,
  Shard,
  UploadId,
  VaultConfig,
} from "@stashlight/write-path";

export const POD_COUNT = 3;
export const DEVICE_COUNT = 3;
export const BUCKET = "b";

export const config: VaultConfig = {
  epoch: 1,
  scheme: { dataShardCount: 2, parityShardCount: 1 },
  podDriveIds: ["drive-0", "drive-1", "drive-2"],
  stashDevices: [0, 1, 2].map((deviceId) => ({ deviceId, serverId: deviceId })),
  coordinatorCount: 1,
};

export interface Upload {
  /** One letter, which the upload id repeats. */
  readonly name: string;
  readonly key: string;
  readonly kind: "object" | "tombstone";
  readonly condition: Condition;
}

export interface Scenario {
  readonly uploads: readonly Upload[];
  /** Keys that a client reads once, at any moment. */
  readonly reads: readonly string[];
  /**
   * `free`: clients begin at any moment. `in order`: the same, but in a fixed sequence; for uploads that differ only in
   * their names, other sequences give the same search. `after answer`: each begins once the previous one is stored.
   */
  readonly begin: "free" | "in order" | "after answer";
  readonly isStashEnabled: boolean;
  /**
   * Messages whose type has one of these prefixes arrive with the event that sent them; all others at any later moment.
   */
  readonly promptMessages: readonly string[];
  /** Timers whose key has one of these prefixes fire at any moment; all others only when nothing else can happen. */
  readonly racingTimers: readonly string[];
  /** Nodes that receive nothing until the power cut, after which they are back. */
  readonly down: readonly Address[];
}

/** Delaying these messages would reveal nothing new; search.ts explains why. */
export const PROMPT_MESSAGES = [
  "coordinator.",
  "stash.append",
  "stash.probe",
  "stash.load",
  "stash.purge",
  "stash.discard",
  "pod.load",
  "pod.note",
  "pod.discard",
] as const;

export function scenario(fields: Partial<Scenario> & Pick<Scenario, "uploads">): Scenario {
  return {
    reads: [],
    begin: "in order",
    isStashEnabled: true,
    promptMessages: PROMPT_MESSAGES,
    racingTimers: [],
    down: [],
    ...fields,
  };
}

export function object(name: string, key: string, condition: Condition = { type: "none" }): Upload {
  return { name, key, kind: "object", condition };
}

export function tombstone(name: string, key: string): Upload {
  return { name, key, kind: "tombstone", condition: { type: "none" } };
}

export function scenarioUploadId({ name }: Upload): UploadId {
  return name.repeat(32);
}

/** Two bytes, one per data shard; the parity is their exclusive or. */
export function makeBody({ name }: Upload): readonly [number, number] {
  const code = name.charCodeAt(0);
  return [code, 255 - code];
}

export function toRequests({ uploads, reads }: Scenario): CoordinatorEvent[] {
  const puts = uploads.map((upload, token): PutRequest => {
    const [first, second] = makeBody(upload);
    const isObject = upload.kind === "object";
    const payloads = [first, second, first ^ second].map((byte) => Uint8Array.from(isObject ? [byte] : []));
    return {
      type: "put",
      token,
      uploadId: scenarioUploadId(upload),
      kind: upload.kind,
      bucket: BUCKET,
      key: upload.key,
      sizeBytes: isObject ? 2 : 0,
      etag: isObject ? `etag-${upload.name}` : "",
      contentType: "text/plain",
      userMetadata: {},
      condition: upload.condition,
      payloads,
      payloadCrcs: payloads.map((payload) => payload[0] ?? 0),
    };
  });
  const gets = reads.map((key, index): CoordinatorEvent => {
    return { type: "get", token: uploads.length + index, bucket: BUCKET, key, headOnly: false };
  });
  return [...puts, ...gets];
}

/** Recovers the body from any two of its three shards. */
export function decode(shards: readonly Shard[]): number[] {
  const bytes = [undefined, undefined, undefined] as (number | undefined)[];
  for (const { shardIndex, payload } of shards) bytes[shardIndex] = payload[0];
  const [first, second, parity] = bytes;
  if (first !== undefined && second !== undefined) return [first, second];
  if (parity === undefined) return [];
  if (first !== undefined) return [first, first ^ parity];
  return second === undefined ? [] : [second ^ parity, second];
}

export function rebuild(shards: readonly Shard[], missing: readonly number[]): Shard[] {
  const [first = 0, second = 0] = decode(shards);
  const upload = shards[0]?.upload;
  if (!upload) return [];
  return missing.map((shardIndex) => {
    const byte = [first, second, first ^ second][shardIndex] ?? 0;
    return { upload, shardIndex, payload: Uint8Array.of(byte), payloadCrc: byte };
  });
}
