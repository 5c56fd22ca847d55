/** Answers GET and HEAD: finds the highest live version, and gathers k good shards of exactly that upload. */
import type { CoordinatorEffect, CoordinatorEvent } from "../effects.ts";
import {
  type Address,
  type CoordinatorMessage,
  type Message,
  podAddress,
  stashAddress,
} from "../messages/index.ts";
import type { Shard, UploadHeader, UploadId } from "../shard.ts";
import { likelyPods, toAllDevices, toAllPods } from "./asked-nodes.ts";
import { describeShortage, noteFound, noteLost, type ShardStatus } from "./lost.ts";
import { resolve } from "./resolve-outcome.ts";
import { type CoordinatorState, isDiscovered, type Read, shardsOf, type UploadEnd } from "./state.ts";

type Received<Type extends CoordinatorMessage["type"]> = Extract<CoordinatorMessage, { type: Type }>;

/** Wait for answers before other nodes are asked. */
const HEDGE_AFTER_MS = 100;
/**
 * Limit up to which the wait doubles. If answers take longer than the first wait, because a coordinator is far away or
 * a link is full, repeated questions to all nodes would only fill the link, and no search would ever complete.
 */
const HEDGE_AFTER_MS_MAX = 1600;
export const READ_DEADLINE_MS = 10_000;

export function get(
  state: CoordinatorState,
  request: Extract<CoordinatorEvent, { type: "get" }>,
  nowMs: number,
): CoordinatorEffect[] {
  const { token, bucket, key, headOnly } = request;
  const readId = state.nextId++;
  const read: Read = {
    token,
    bucket,
    key,
    headOnly,
    deadlineMs: nowMs + READ_DEADLINE_MS,
    hedgeAfterMs: HEDGE_AFTER_MS,
    phase: "finding",
    requestId: 0,
    found: new Map(),
    stashFound: new Map(),
    dead: new Set(),
    chosen: null,
    early: [],
    eager: new Set(),
    shards: new Map(),
    asked: new Set(),
    answered: new Set(),
    missingReasons: new Map(),
    shortUploadId: null,
  };
  state.reads.set(readId, read);
  return find(state, readId, read, nowMs);
}

/**
 * Asks as many pods as a read needs answers from. For bytes, these are the k pods whose shards it is most likely to
 * use, which send them along (k > m, so their answers are enough). Others are asked when these are slow.
 */
function find(state: CoordinatorState, readId: number, read: Read, nowMs: number): CoordinatorEffect[] {
  begin(state, readId, read, "finding");
  read.found.clear();
  read.stashFound.clear();
  read.early.length = 0;
  read.eager.clear();
  const { requestId, bucket, key, headOnly } = read;
  const { discover, decode } = state.quorums;
  // Prefers data shards, which need no decoding.
  const pods = likelyPods(state, headOnly ? requestId : 0, nowMs).slice(0, headOnly ? discover : decode);
  if (!headOnly) for (const podIndex of pods) read.eager.add(podIndex);
  const message: Message = { type: "pod.find", requestId, bucket, key, isEager: !headOnly };
  return [
    ...pods.map((podIndex): CoordinatorEffect => ({ type: "send", to: podAddress(podIndex), message })),
    timer(readId, read),
  ];
}

/**
 * Gives each phase its own request id, so that late answers to the previous phase are not mistaken for answers to this
 * one.
 */
function begin(state: CoordinatorState, readId: number, read: Read, phase: Read["phase"]): void {
  state.readByRequest.delete(read.requestId);
  read.requestId = state.nextId++;
  state.readByRequest.set(read.requestId, readId);
  read.phase = phase;
}

function timer(readId: number, { hedgeAfterMs }: Read): CoordinatorEffect {
  return { type: "setTimer", key: `read:${readId}`, delayMs: hedgeAfterMs };
}

function readOf(state: CoordinatorState, requestId: number): [number, Read] | undefined {
  const readId = state.readByRequest.get(requestId);
  const read = readId === undefined ? undefined : state.reads.get(readId);
  return readId === undefined || read === undefined ? undefined : [readId, read];
}

export function found(
  state: CoordinatorState,
  { requestId, podIndex, isSettled, versions, shard, missingReason }: Received<"coordinator.found">,
  nowMs: number,
): CoordinatorEffect[] {
  const [readId, read] = readOf(state, requestId) ?? [];
  if (readId === undefined || read === undefined) return [];
  const isAwaited = read.eager.has(podIndex) && !read.found.has(podIndex);
  const shards = shard === null ? [] : [shard];
  read.found.set(podIndex, { isSettled, versions });
  if (read.phase === "finding") {
    read.early.push(...shards);
    return choose(state, readId, read, nowMs);
  }
  // Enough pods had answered before, so only the shards of the others are needed.
  if (read.phase !== "loading" || !(isAwaited || shard)) return [];
  if (missingReason === null && isWithheld(read, podIndex, shard)) {
    read.asked.delete(podAddress(podIndex));
    return askPods(read, [podIndex]);
  }
  return gather(state, readId, read, podAddress(podIndex), { shards, missingReason }, nowMs);
}

/**
 * Returns true if the pod holds its shard of the upload but did not send it along, because it is busy or also has a
 * newer version.
 */
function isWithheld(read: Read, podIndex: number, shard: Shard | null): boolean {
  const { chosen } = read;
  if (chosen === null || shard?.upload.uploadId === chosen.uploadId) return false;
  return !isLacking(read, podIndex, chosen.uploadId);
}

export function stashFound(
  state: CoordinatorState,
  { requestId, deviceId, uploads }: Received<"coordinator.stashFound">,
  nowMs: number,
): CoordinatorEffect[] {
  const [readId, read] = readOf(state, requestId) ?? [];
  if (readId === undefined || read?.phase !== "finding") return [];
  read.stashFound.set(deviceId, uploads);
  return choose(state, readId, read, nowMs);
}

function choose(state: CoordinatorState, readId: number, read: Read, nowMs: number): CoordinatorEffect[] {
  if (!isDiscovered(state, read.found.values(), read.stashFound.size)) return [];
  const views = [...read.found.values()].flatMap(({ versions }) => versions);
  const uploads = [...views.map(({ upload }) => upload), ...[...read.stashFound.values()].flat()];
  const chosen = highest(uploads.filter(({ uploadId }) => !read.dead.has(uploadId)));
  if (!chosen) return finish(state, readId, read, { type: "absent" });
  read.chosen = chosen;
  if (views.some((view) => view.isCommitted && view.upload.uploadId === chosen.uploadId)) {
    return show(state, readId, read, chosen);
  }
  begin(state, readId, read, "resolving");
  return resolve(state, chosen, { type: "read", readId }, false, nowMs);
}

function highest(uploads: readonly UploadHeader[]): UploadHeader | undefined {
  return uploads.reduce<UploadHeader | undefined>(
    (best, upload) => (best === undefined || upload.order > best.order ? upload : best),
    undefined,
  );
}

export function readEnded(
  state: CoordinatorState,
  readId: number,
  uploadId: UploadId,
  end: UploadEnd,
  nowMs: number,
): CoordinatorEffect[] {
  const read = state.reads.get(readId);
  if (read?.phase !== "resolving" || read.chosen?.uploadId !== uploadId) return [];
  if (end === "live") return show(state, readId, read, read.chosen);
  if (end === "unknown") return finish(state, readId, read, { type: "unavailable" });
  read.dead.add(uploadId);
  return find(state, readId, read, nowMs);
}

function show(
  state: CoordinatorState,
  readId: number,
  read: Read,
  upload: UploadHeader,
): CoordinatorEffect[] {
  if (upload.kind === "tombstone") return finish(state, readId, read, { type: "absent" });
  if (read.headOnly || upload.sizeBytes === 0) {
    return finish(state, readId, read, { type: "found", upload, shards: [] });
  }
  // Pods that still have to send their shards along answer the request of the search, which continues.
  if (read.phase === "finding") read.phase = "loading";
  else {
    begin(state, readId, read, "loading");
    read.eager.clear();
  }
  read.shards.clear();
  read.asked.clear();
  read.answered.clear();
  read.missingReasons.clear();
  for (const shard of read.early) {
    if (shard.upload.uploadId !== upload.uploadId) continue;
    read.shards.set(shard.shardIndex, shard);
    read.answered.add(podAddress(shard.shardIndex));
  }
  const { decode } = state.quorums;
  if (read.shards.size >= decode) return finishWithShards(state, readId, read, upload);
  const pods = state.pods.map((_, podIndex) => podIndex);
  const coming = pods.filter((podIndex) => read.shards.has(podIndex) || isComing(read, podIndex));
  for (const podIndex of coming) read.asked.add(podAddress(podIndex));
  // Pods that hold no shard are asked last.
  const others = pods.filter((podIndex) => !coming.includes(podIndex));
  const lacking = others.filter((podIndex) => isLacking(read, podIndex, upload.uploadId));
  const wanted = [...others.filter((podIndex) => !lacking.includes(podIndex)), ...lacking];
  return [...askPods(read, wanted.slice(0, Math.max(0, decode - coming.length))), timer(readId, read)];
}

/** Returns true if this pod was asked to send its shard along and has not answered. */
function isComing({ eager, found }: Read, podIndex: number): boolean {
  return eager.has(podIndex) && !found.has(podIndex);
}

function finishWithShards(
  state: CoordinatorState,
  readId: number,
  read: Read,
  upload: UploadHeader,
): CoordinatorEffect[] {
  noteFound(state, upload);
  const enough = [...read.shards.values()].slice(0, state.quorums.decode);
  return finish(state, readId, read, { type: "found", upload, shards: enough });
}

/** Returns true if this pod has answered and does not hold a shard of the upload. */
function isLacking({ found }: Read, podIndex: number, uploadId: UploadId): boolean {
  const answer = found.get(podIndex);
  if (answer === undefined) return false;
  return !answer.versions.some((view) => view.upload.uploadId === uploadId && view.holds !== "known");
}

function askPods(read: Read, pods: readonly number[]): CoordinatorEffect[] {
  return ask(read, pods.map(podAddress), "pod.load");
}

function ask(
  read: Read,
  addresses: readonly Address[],
  type: "pod.load" | "stash.load",
): CoordinatorEffect[] {
  const { requestId, chosen } = read;
  if (!chosen) return [];
  return addresses.flatMap((to): CoordinatorEffect[] => {
    if (read.asked.has(to)) return [];
    read.asked.add(to);
    return [{ type: "send", to, message: { type, requestId, uploadId: chosen.uploadId } }];
  });
}

export function readLoaded(
  state: CoordinatorState,
  { requestId, from, shards, missingReason }: Received<"coordinator.loaded">,
  nowMs: number,
): CoordinatorEffect[] {
  const [readId, read] = readOf(state, requestId) ?? [];
  if (readId === undefined || read?.phase !== "loading") return [];
  return gather(state, readId, read, from, { shards, missingReason }, nowMs);
}

function gather(
  state: CoordinatorState,
  readId: number,
  read: Read,
  from: Address,
  { shards, missingReason }: Pick<Received<"coordinator.loaded">, "shards" | "missingReason">,
  nowMs: number,
): CoordinatorEffect[] {
  const upload = read.chosen;
  if (!upload) return [];
  read.answered.add(from);
  if (shards.length === 0) read.missingReasons.set(from, missingReason);
  for (const shard of shardsOf(state, upload, shards)) read.shards.set(shard.shardIndex, shard);
  if (read.shards.size >= state.quorums.decode) return finishWithShards(state, readId, read, upload);
  if (shards.length > 0) return [];
  const more = askEveryone(state, read);
  if (more.length > 0 || !isProvedShort(state, read)) return more;
  return lookAgainOrFinish(state, readId, read, upload, nowMs);
}

/**
 * Returns true if every node has given a final answer, so that none of them can later have a shard that it lacks now.
 */
function isProvedShort(state: CoordinatorState, { asked, answered, missingReasons }: Read): boolean {
  if (asked.size < state.pods.length + state.devices.size || answered.size < asked.size) return false;
  return ![...missingReasons.values()].includes("unreadable");
}

/** Returns true if silent nodes, or drives that currently fail to read, may have the missing shards. */
function mayBeReadLater(state: CoordinatorState, { shards, answered, missingReasons }: Read): boolean {
  const silentCount = state.pods.length + state.devices.size - answered.size;
  const unreadableCount = [...missingReasons.values()].filter((reason) => reason === "unreadable").length;
  return shards.size + silentCount + unreadableCount >= state.quorums.decode;
}

/** Searches again, because the upload may have been superseded and dropped while it was being read. */
function lookAgainOrFinish(
  state: CoordinatorState,
  readId: number,
  read: Read,
  upload: UploadHeader,
  nowMs: number,
): CoordinatorEffect[] {
  if (read.shortUploadId === upload.uploadId) return finishShort(state, readId, read, upload, nowMs);
  read.shortUploadId = upload.uploadId;
  return find(state, readId, read, nowMs);
}

function finishShort(
  state: CoordinatorState,
  readId: number,
  read: Read,
  upload: UploadHeader,
  nowMs: number,
): CoordinatorEffect[] {
  const statusOn = (podIndex: number): ShardStatus => {
    const address = podAddress(podIndex);
    if (read.shards.has(podIndex)) return "readable";
    if (!read.answered.has(address)) return "silent";
    return read.missingReasons.get(address) ?? "missing";
  };
  const shortage = describeShortage(state, upload, read.shards.size, statusOn);
  // A pod that is silent only for a moment is no evidence of loss.
  if (isProvedShort(state, read)) noteLost(state, shortage, nowMs);
  return finish(state, readId, read, { type: "undecodable", shortage });
}

function askEveryone(state: CoordinatorState, read: Read): CoordinatorEffect[] {
  return [
    ...askPods(
      read,
      state.pods.map((_, podIndex) => podIndex),
    ),
    ...ask(read, [...state.devices.keys()].map(stashAddress), "stash.load"),
  ];
}

export function readTimer(state: CoordinatorState, readId: number, nowMs: number): CoordinatorEffect[] {
  const read = state.reads.get(readId);
  if (!read) return [];
  if (nowMs >= read.deadlineMs) {
    return read.phase === "loading" && read.chosen !== null && !mayBeReadLater(state, read)
      ? finishShort(state, readId, read, read.chosen, nowMs)
      : finish(state, readId, read, { type: "unavailable" });
  }
  read.hedgeAfterMs = Math.min(2 * read.hedgeAfterMs, HEDGE_AFTER_MS_MAX);
  if (read.phase === "resolving") return [timer(readId, read)];
  if (read.phase === "loading") {
    const everyone = askEveryone(state, read);
    if (everyone.length > 0 || read.answered.size < read.asked.size / 2)
      return [...everyone, timer(readId, read)];
    const proved = isProvedShort(state, read) ? read.chosen : null;
    if (proved !== null) return lookAgainOrFinish(state, readId, read, proved, nowMs);
    // The upload may have been superseded and dropped, so search again.
    return find(state, readId, read, nowMs);
  }
  const { requestId, bucket, key } = read;
  return [
    ...toAllPods(state, { type: "pod.find", requestId, bucket, key, isEager: false }),
    ...toAllDevices(state, { type: "stash.find", requestId, bucket, key }),
    timer(readId, read),
  ];
}

function finish(
  state: CoordinatorState,
  readId: number,
  read: Read,
  outcome: Extract<CoordinatorEffect, { type: "answerGet" }>["outcome"],
): CoordinatorEffect[] {
  state.reads.delete(readId);
  state.readByRequest.delete(read.requestId);
  return [{ type: "answerGet", token: read.token, outcome }];
}
