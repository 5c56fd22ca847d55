/** Messages of every kind: arbitrary ones that the types allow, and one plain sample of each for the golden file. */
import type {
  Address,
  Condition,
  DeathProof,
  Message,
  PodIdentity,
  Shard,
  UploadHeader,
  VersionView,
} from "@stashlight/write-path";
import * as fc from "fast-check";
import type { Envelope, MessageType } from "../codec/messages.ts";

type MessageOf<Type extends MessageType> = Extract<Message, { type: Type }>;

const text = fc.string({ unit: "binary", maxLength: 40 });
const u16 = fc.nat(0xffff);
const u32 = fc.nat(0xffff_ffff);
const u64 = fc.maxSafeNat();
const bool = fc.boolean();
const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((digits) => Buffer.from(digits).toString("hex"));
const uploadId = hex(16);
const order = hex(12);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const some = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, { maxLength: 4 });

const upload: fc.Arbitrary<UploadHeader> = fc.record({
  uploadId,
  kind: fc.constantFrom("object", "tombstone"),
  bucket: text,
  key: text,
  order,
  scheme: fc.record({ dataShardCount: u16, parityShardCount: u16 }),
  sizeBytes: u64,
  etag: text,
  contentType: text,
  userMetadata: fc.dictionary(text, text, { maxKeys: 4 }),
  epoch: u64,
});
const shard: fc.Arbitrary<Shard> = fc.record({
  upload,
  shardIndex: u16,
  payload: fc.uint8Array({ maxLength: 300 }),
  payloadCrc: u32,
});
const pod: fc.Arbitrary<PodIdentity> = fc.record({ podIndex: u16, driveId: text, bootId: u64 });
const version: fc.Arbitrary<VersionView> = fc.record({
  upload,
  holds: fc.constantFrom("known", "written", "durable"),
  isCommitted: bool,
});
const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.constantFrom({ type: "none" } as const, { type: "absent" } as const),
  fc.record({ type: fc.constant("etag" as const), etag: text }),
  fc.record({ type: fc.constant("version" as const), uploadId }),
);
const proof: fc.Arbitrary<DeathProof> = fc.oneof(
  fc.record({ type: fc.constant("refused" as const), by: some(u16) }),
  fc.record({ type: fc.constant("superseded" as const), by: order }),
);
const address: fc.Arbitrary<Address> = fc
  .tuple(fc.constantFrom("c", "p", "s"), u32)
  .map(([role, number]): Address => `${role as "c"}${number}`);

const object = { requestId: u64, bucket: text, key: text };
const range = { requestId: u64, bucket: text, prefix: text, after: text, keyCountMax: u32 };
const oneUpload = { requestId: u64, uploadId };
const ofPod = { podIndex: u16, bootId: u64 };
const peerAnswer = { from: u16, fromBootId: u64, bootId: u64, isReplayed: bool, horizon: order };
const answer = fc.constantFrom(
  ...(["superseded", "absent", "refused", "known", "knownRefused"] as const),
  ...(["damaged", "written", "durable"] as const),
);
const missingReason = maybe(fc.constantFrom("damaged" as const, "unreadable" as const));
const appendRefusal = fc.constantFrom(
  ...(["order", "condition", "contested", "unsettled", "fenced"] as const),
  ...(["rebooted", "epoch", "mismatch", "failed", "full"] as const),
);

type Parts = {
  readonly [Type in MessageType]: {
    readonly [Name in Exclude<keyof MessageOf<Type>, "type">]: fc.Arbitrary<MessageOf<Type>[Name]>;
  };
};

const parts: Parts = {
  "pod.append": {
    shard,
    purpose: fc.constantFrom("put", "push", "repair"),
    isDurable: bool,
    condition,
    bootId: u64,
    stashDeviceId: maybe(u32),
  },
  "pod.greet": { floor: order },
  "pod.confirm": { uploadId, bootId: u64 },
  "pod.find": { ...object, isEager: bool },
  "pod.list": { ...range, isBrief: bool, delimiter: text },
  "pod.probe": {
    requestId: u64,
    upload,
    refuse: fc.constantFrom("nobody", "unknowing", "all"),
    isCommitted: bool,
  },
  "pod.load": oneUpload,
  "pod.note": { uploadId, outcome: fc.constantFrom("committed", "complete") },
  "pod.discard": { upload, proof },
  "pod.handoff": {
    deviceId: u32,
    bootId: u64,
    shards: some(shard),
    damaged: some(fc.record({ upload, shardIndex: u16, payloadCrc: u32 })),
    cursor: maybe(u64),
    isLast: bool,
  },
  "pod.announce": { deviceId: u32 },
  "pod.compare": { from: u16, bootId: u64 },
  "pod.digests": { ...peerAnswer, digests: some(fc.record({ bucket: u16, digest: u64 })) },
  "pod.index": { from: u16, bootId: u64, buckets: some(u16), after: u64 },
  "pod.indexPage": { ...peerAnswer, after: u64, next: u64, uploads: some(upload), isLast: bool },
  "stash.append": { shard, podBootId: u64 },
  "stash.purge": {
    pod,
    epoch: u64,
    entries: some(fc.record({ uploadId, shardIndex: u16, payloadCrc: u32 })),
  },
  "stash.pull": { pod, cursor: u64 },
  "stash.find": object,
  "stash.list": range,
  "stash.probe": oneUpload,
  "stash.load": oneUpload,
  "stash.discard": { upload, proof },
  "coordinator.hello": {
    pod,
    isSettled: bool,
    finalBelow: order,
    closedBelow: order,
    floor: order,
    room: fc.record({ freeBytes: u64, isShort: bool }),
  },
  "coordinator.podAppended": { uploadId, ...ofPod, result: fc.constantFrom("written", "durable") },
  "coordinator.confirmed": { uploadId, ...ofPod },
  "coordinator.podRefused": {
    uploadId,
    ...ofPod,
    reason: appendRefusal,
    present: maybe(version),
    highestOrder: order,
  },
  "coordinator.stashAppended": {
    uploadId,
    shardIndex: u16,
    deviceId: u32,
    result: fc.constantFrom("durable", "full", "rebooted", "failed"),
    podBootId: u64,
  },
  "coordinator.found": {
    requestId: u64,
    podIndex: u16,
    isSettled: bool,
    versions: some(version),
    shard: maybe(shard),
    missingReason,
  },
  "coordinator.stashFound": { requestId: u64, deviceId: u32, uploads: some(upload) },
  "coordinator.listed": {
    requestId: u64,
    podIndex: u16,
    isSettled: bool,
    versions: some(version),
    truncatedAfter: maybe(text),
    delimiter: text,
  },
  "coordinator.listedAlike": { requestId: u64, podIndex: u16, isSettled: bool, digest: u64 },
  "coordinator.stashListed": {
    requestId: u64,
    deviceId: u32,
    uploads: some(upload),
    truncatedAfter: maybe(text),
  },
  "coordinator.probed": {
    requestId: u64,
    ...ofPod,
    isSettled: bool,
    answer,
    committedOrder: order,
    isCommitted: bool,
  },
  "coordinator.stashProbed": {
    requestId: u64,
    deviceId: u32,
    shardIndices: some(u16),
    damagedIndices: some(u16),
  },
  "coordinator.loaded": { requestId: u64, from: address, shards: some(shard), missingReason },
  "coordinator.resolve": { upload },
};

export const allTypes = Object.keys(parts) as MessageType[];

/** Returns an arbitrary message of this kind, with arbitrary sender and recipient. */
export function envelopeArbitrary(type: MessageType): fc.Arbitrary<Envelope> {
  const fields: Record<string, fc.Arbitrary<unknown>> = parts[type];
  const message = fc.record({ type: fc.constant(type), ...fields }) as unknown as fc.Arbitrary<Message>;
  return fc.record({ from: address, to: address, message });
}

export const anyEnvelope: fc.Arbitrary<Envelope> = fc.oneof(...allTypes.map(envelopeArbitrary));

/** Returns the same message each time, except for `requestId`. */
export function makeFind(requestId: number): Envelope {
  const message: Message = { type: "pod.find", requestId, bucket: "photos", key: "cat.jpg", isEager: true };
  return { from: "c1", to: "p2", message };
}

export function makeAppend(number: number, payload: Uint8Array): Envelope {
  const uploadId = number.toString(16).padStart(32, "0");
  const upload: UploadHeader = {
    uploadId,
    kind: "object",
    bucket: "photos",
    key: `${number}.jpg`,
    order: "018f0000000000010000002a",
    scheme: { dataShardCount: 16, parityShardCount: 4 },
    sizeBytes: payload.length * 16,
    etag: "5d41402abc4b2a76b9719d911017c592",
    contentType: "image/jpeg",
    userMetadata: { camera: "old" },
    epoch: 1,
  };
  const message: Message = {
    type: "pod.append",
    shard: { upload, shardIndex: 2, payload, payloadCrc: number },
    purpose: "put",
    isDurable: false,
    condition: { type: "none" },
    bootId: 7,
    stashDeviceId: 3,
  };
  return { from: "c1", to: "p2", message };
}
