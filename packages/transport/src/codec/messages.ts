/**
 * Every kind of message with its number and its fields, in the order in which they are written. The type makes a
 * missing kind or field an error. Numbers are assigned once; a change of fields is a new protocol version.
 */
import assert from "node:assert/strict";
import type {
  Address,
  AppendRefusal,
  BucketDigest,
  Condition,
  DeathProof,
  Message,
  MissingReason,
  PodAppend,
  PodFreeSpace,
  PodProbeAnswer,
  PurgeEntry,
  RefusalWish,
  ShardHeader,
} from "@stashlight/write-path";
import { FrameError } from "../errors.ts";
import {
  bool,
  enumField,
  type Field,
  type FieldsOf,
  list,
  member,
  nullable,
  record,
  text,
  trailing,
  u16,
  u32,
  u64,
  union,
} from "./fields.ts";
import { checkHead, type Frame, HEADER_BYTES } from "./frame.ts";
import { FieldReader } from "./reader.ts";
import {
  address,
  endpointAddress,
  listedView,
  podIdentity,
  shard,
  toEndpoint,
  uploadHeader,
  uploadId,
  versionOrder,
  versionView,
} from "./shapes.ts";
import type { EncodedFrame, FrameWriter } from "./writer.ts";

/** A message with its sender and recipient. */
export interface Envelope {
  readonly from: Address;
  readonly to: Address;
  readonly message: Message;
}

export type MessageType = Message["type"];
type MessageOf<Type extends MessageType> = Extract<Message, { type: Type }>;
type Kinds = { readonly [Type in MessageType]: readonly [number, FieldsOf<MessageOf<Type>>] };

/** Prefix that marks a version in an ETag field; an ETag comes from HTTP and so never has this character. */
const VERSION = "\0version ";
type SentCondition = Exclude<Condition, { type: "version" }>;
const sentCondition = union<SentCondition>({ none: [1, {}], absent: [2, {}], etag: [3, { etag: text }] });

/**
 * An agent that does not know conditions on a version treats one as an ETag that no object has, and refuses the write.
 * A new kind would make that agent close the connection, and a vault is upgraded agent by agent.
 */
const condition: Field<Condition> = {
  write: (writer, value) => {
    const sent: SentCondition =
      value.type === "version" ? { type: "etag", etag: VERSION + value.uploadId } : value;
    sentCondition.write(writer, sent);
  },
  read: (reader) => {
    const sent = sentCondition.read(reader);
    return sent.type === "etag" && sent.etag.startsWith(VERSION)
      ? { type: "version", uploadId: sent.etag.slice(VERSION.length) }
      : sent;
  },
};

const proof = union<DeathProof>({ refused: [1, { by: list(u16) }], superseded: [2, { by: versionOrder }] });
const purgeEntry = record<PurgeEntry>({ uploadId, shardIndex: u16, payloadCrc: u32 });
const bucketDigest = record<BucketDigest>({ bucket: u16, digest: u64 });
const purpose = enumField<PodAppend["purpose"]>({ put: 1, push: 2, repair: 3 });
const refusalWish = enumField<RefusalWish>({ nobody: 1, unknowing: 2, all: 3 });
const noteOutcome = enumField<MessageOf<"pod.note">["outcome"]>({ committed: 1, complete: 2 });
const podResult = enumField<"written" | "durable">({ written: 1, durable: 2 });
const stashResult = enumField<MessageOf<"coordinator.stashAppended">["result"]>({
  durable: 1,
  full: 2,
  rebooted: 3,
  failed: 4,
});
const appendRefusal = enumField<AppendRefusal>({
  order: 1,
  condition: 2,
  contested: 3,
  unsettled: 4,
  fenced: 5,
  rebooted: 6,
  epoch: 7,
  mismatch: 8,
  failed: 9,
  full: 10,
});
const room = record<PodFreeSpace>({ freeBytes: u64, isShort: bool });
const probeAnswer = enumField<PodProbeAnswer>({
  superseded: 1,
  absent: 2,
  refused: 3,
  known: 4,
  knownRefused: 5,
  written: 6,
  durable: 7,
  damaged: 8,
});
const missingReason = trailing(
  nullable(enumField<MissingReason>({ damaged: 1, unreadable: 2 })),
  null,
  (value) => value === null,
);
const delimiter = trailing(text, "", (value) => value === "");
const isEmpty = (values: readonly unknown[]): boolean => values.length === 0;
const shardHeader = record<ShardHeader>({ upload: uploadHeader, shardIndex: u16, payloadCrc: u32 });

const object = { requestId: u64, bucket: text, key: text };
const range = { requestId: u64, bucket: text, prefix: text, after: text, keyCountMax: u32 };
const oneUpload = { requestId: u64, uploadId };
const ofPod = { podIndex: u16, bootId: u64 };
const discard = { upload: uploadHeader, proof };
const peerAnswer = { from: u16, fromBootId: u64, bootId: u64, isReplayed: bool, horizon: versionOrder };

const kinds: Kinds = {
  "pod.append": [
    1,
    { shard, purpose, isDurable: bool, condition, bootId: u64, stashDeviceId: nullable(u32) },
  ],
  "pod.greet": [2, { floor: versionOrder }],
  "pod.confirm": [3, { uploadId, bootId: u64 }],
  "pod.find": [4, { ...object, isEager: bool }],
  "pod.list": [5, { ...range, isBrief: bool, delimiter }],
  "pod.probe": [6, { requestId: u64, upload: uploadHeader, refuse: refusalWish, isCommitted: bool }],
  "pod.load": [7, oneUpload],
  "pod.note": [8, { uploadId, outcome: noteOutcome }],
  "pod.discard": [9, discard],
  "pod.handoff": [
    10,
    {
      deviceId: u32,
      bootId: u64,
      shards: list(shard),
      cursor: nullable(u64),
      isLast: bool,
      damaged: trailing(list(shardHeader), [], isEmpty),
    },
  ],
  "pod.announce": [11, { deviceId: u32 }],
  "pod.compare": [14, { from: u16, bootId: u64 }],
  "pod.digests": [15, { ...peerAnswer, digests: list(bucketDigest) }],
  "pod.index": [16, { from: u16, bootId: u64, buckets: list(u16), after: u64 }],
  "pod.indexPage": [17, { ...peerAnswer, after: u64, next: u64, uploads: list(uploadHeader), isLast: bool }],
  "stash.append": [20, { shard, podBootId: u64 }],
  "stash.purge": [21, { pod: podIdentity, epoch: u64, entries: list(purgeEntry) }],
  "stash.pull": [22, { pod: podIdentity, cursor: u64 }],
  "stash.find": [23, object],
  "stash.list": [24, range],
  "stash.probe": [25, oneUpload],
  "stash.load": [26, oneUpload],
  "stash.discard": [27, discard],
  "coordinator.hello": [
    40,
    {
      pod: podIdentity,
      isSettled: bool,
      finalBelow: versionOrder,
      closedBelow: versionOrder,
      floor: versionOrder,
      room,
    },
  ],
  "coordinator.podAppended": [41, { uploadId, ...ofPod, result: podResult }],
  "coordinator.confirmed": [42, { uploadId, ...ofPod }],
  "coordinator.podRefused": [
    43,
    {
      uploadId,
      ...ofPod,
      reason: appendRefusal,
      present: nullable(versionView),
      highestOrder: versionOrder,
    },
  ],
  "coordinator.stashAppended": [
    44,
    { uploadId, shardIndex: u16, deviceId: u32, result: stashResult, podBootId: u64 },
  ],
  "coordinator.found": [
    45,
    {
      requestId: u64,
      podIndex: u16,
      isSettled: bool,
      versions: list(versionView),
      shard: nullable(shard),
      missingReason,
    },
  ],
  "coordinator.stashFound": [46, { requestId: u64, deviceId: u32, uploads: list(uploadHeader) }],
  "coordinator.listed": [
    47,
    {
      requestId: u64,
      podIndex: u16,
      isSettled: bool,
      versions: list(listedView),
      truncatedAfter: nullable(text),
      // Only a coordinator that has sent a delimiter gets one.
      delimiter,
    },
  ],
  "coordinator.listedAlike": [53, { requestId: u64, podIndex: u16, isSettled: bool, digest: u64 }],
  "coordinator.stashListed": [
    48,
    { requestId: u64, deviceId: u32, uploads: list(uploadHeader), truncatedAfter: nullable(text) },
  ],
  "coordinator.probed": [
    49,
    {
      requestId: u64,
      ...ofPod,
      isSettled: bool,
      answer: probeAnswer,
      committedOrder: versionOrder,
      isCommitted: bool,
    },
  ],
  "coordinator.stashProbed": [
    50,
    {
      requestId: u64,
      deviceId: u32,
      shardIndices: list(u16),
      damagedIndices: trailing(list(u16), [], isEmpty),
    },
  ],
  "coordinator.loaded": [51, { requestId: u64, from: address, shards: list(shard), missingReason }],
  "coordinator.resolve": [52, { upload: uploadHeader }],
};

/** Returns the message in the form that a node of this protocol version can read. */
export function envelopeFor(version: number, envelope: Envelope): Envelope {
  const { message } = envelope;
  if (version >= 8 || message.type !== "pod.list" || message.delimiter === "") return envelope;
  return { ...envelope, message: { ...message, delimiter: "" } };
}

interface Kind {
  readonly type: MessageType;
  readonly number: number;
  readonly body: Field<Message>;
}

const byType = new Map<MessageType, Kind>();
const byNumber = new Map<number, Kind>();
for (const [name, [number, fields]] of Object.entries(kinds)) {
  const type = name as MessageType;
  assert(!byNumber.has(number), `Two kinds of message have the number ${number}.`);
  const kind = { type, number, body: member<Message>(type, fields as FieldsOf<Message>) };
  byType.set(type, kind);
  byNumber.set(number, kind);
}

export const messageTypes: readonly MessageType[] = [...byType.keys()];

/**
 * The last encoded message, so that one sent to several nodes is encoded once. Its bytes stay valid, since slabs are
 * never reused.
 */
let lastSaid: { readonly message: Message; readonly head: Buffer } | null = null;

/** Encodes a message. The payloads of its shards are referenced, not copied. */
export function encodeMessage(writer: FrameWriter, { from, to, message }: Envelope): EncodedFrame {
  const kind = byType.get(message.type);
  assert(kind, `There is no kind of message "${message.type}".`);
  writer.begin();
  const isSaidAgain = lastSaid?.message === message;
  if (isSaidAgain) writer.bytes((lastSaid as { readonly head: Buffer }).head);
  else kind.body.write(writer, message);
  const frame = writer.finish("message", kind.number, toEndpoint(from), toEndpoint(to));
  if (!isSaidAgain && frame.payloads.length === 0) {
    lastSaid = { message, head: frame.slab.subarray(frame.start + HEADER_BYTES, frame.end) };
  }
  return frame;
}

/** Decodes a frame of type "message". The payloads of its shards are views of the frame's bytes. */
export function decodeMessage(frame: Frame): Envelope {
  const { header } = frame;
  const kind = byNumber.get(header.kind);
  if (!kind) {
    throw new FrameError("kind", `A message is of kind ${header.kind}, which this version does not know.`);
  }
  checkHead(frame);
  const reader = new FieldReader(frame);
  const message = kind.body.read(reader);
  reader.end();
  return { from: endpointAddress(header.from), to: endpointAddress(header.to), message };
}
