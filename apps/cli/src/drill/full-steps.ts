/** Steps of `vault drill full`: fill until the vault refuses, delete, and wait until uploads are accepted again. */
import { setTimeout as delay } from "node:timers/promises";
import type { ObjectName, S3Client } from "@stashlight/s3/client";
import type { Body } from "../load/bodies.ts";
import type { Ledger } from "../load/ledger.ts";
import { counted } from "../units.ts";
import type { VaultAccess } from "../vault/access.ts";
import { type Agents, DrillError } from "./agents.ts";
import { judgeAnswer } from "./full-answer.ts";

export interface FullContext {
  readonly vault: VaultAccess;
  readonly agents: Agents;
  readonly bucket: string;
  readonly clientCount: number;
  readonly ledger: Ledger;
  /** Next body in rotation. */
  readonly nextBody: () => Body;
  readonly random: () => number;
  readonly interrupted: AbortSignal;
  readonly onProgress: (line: string) => void;
  /** Answers that no client should see, in order. */
  readonly wrongAnswers: string[];
}

export interface Fill {
  readonly storedCount: number;
  readonly storedBytes: number;
  /** Duration of each refused request. */
  readonly refusalsMs: readonly number[];
  /** Answers that asked a client to retry. */
  readonly busyCount: number;
  /** Time until 90 % of the deleted number of objects were stored again; null if they never were. */
  readonly spaceBackMs: number | null;
}

/**
 * Consecutive refusals after which a client stops. Together they take five seconds, because the space of deleted
 * objects returns in steps, and they are enough for a 99th percentile.
 */
const REFUSALS_PER_CLIENT = 25;
const REFUSED_PAUSE_MS = 200;
const PAUSE_MS = 50;
/** Deadline for the return of deleted space. */
const SPACE_BACK_WITHIN_MS = 60_000;
/** Share of the deleted objects that must fit again; a few bytes are lost at record boundaries. */
const SPACE_BACK_SHARE = 0.9;
/** Deadline, because a vault that only asks its clients to retry is useless. */
const STALLED_AFTER_MS = 60_000;
/** Deadline of a delete, long enough for a killed process to restart. */
const DELETED_WITHIN_MS = 120_000;

/**
 * All clients upload until the vault refuses them permanently. Keys begin with the prefix. After deletes the clients
 * wait up to a minute for the space of the deleted objects.
 */
export async function fillUp(context: FullContext, prefix: string, deletedCount = 0): Promise<Fill> {
  const { vault, clientCount, interrupted, onProgress } = context;
  const client = vault.createClient(clientCount);
  const wantedCount = Math.floor(deletedCount * SPACE_BACK_SHARE);
  const startMs = performance.now();
  const sinceStartMs = () => performance.now() - startMs;
  const refusalsMs: number[] = [];
  const fill = { storedCount: 0, storedBytes: 0, busyCount: 0, spaceBackMs: null as number | null };
  const isOver = (refusalCount: number): boolean =>
    refusalCount >= REFUSALS_PER_CLIENT &&
    (fill.storedCount >= wantedCount || sinceStartMs() > SPACE_BACK_WITHIN_MS);
  const upload = async (writer: number): Promise<void> => {
    let refusalCount = 0;
    let lastMs = performance.now();
    for (let i = 0; !isOver(refusalCount) && !interrupted.aborted; ) {
      const put = await putOnce(context, client, `${prefix}/${writer}-${i}`);
      if (put.type === "busy") {
        fill.busyCount += 1;
        requireNoStall(lastMs);
        await delay(PAUSE_MS);
        continue;
      }
      lastMs = performance.now();
      if (put.type === "stored") {
        i += 1;
        refusalCount = 0;
        fill.storedCount += 1;
        fill.storedBytes += put.sizeBytes;
        if (fill.storedCount >= wantedCount) fill.spaceBackMs ??= sinceStartMs();
        onProgress(`Filling, ${counted(fill.storedCount, "object")}`);
      } else {
        refusalCount += 1;
        if (put.type === "full") refusalsMs.push(put.ms);
        await delay(REFUSED_PAUSE_MS);
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: clientCount }, (_, writer) => upload(writer)));
    return { ...fill, refusalsMs };
  } finally {
    client.close();
  }
}

function requireNoStall(sinceMs: number): void {
  if (performance.now() - sinceMs <= STALLED_AFTER_MS) return;
  throw new DrillError(
    `For ${STALLED_AFTER_MS / 1000} s the vault neither accepted nor refused a client's upload.`,
  );
}

type Put =
  | { readonly type: "stored"; readonly sizeBytes: number }
  | { readonly type: "full"; readonly ms: number }
  | { readonly type: "busy" | "wrong" };

async function putOnce(context: FullContext, client: S3Client, key: string): Promise<Put> {
  const { bucket, ledger, nextBody, wrongAnswers } = context;
  const { bytes, md5 } = nextBody();
  ledger.note({ type: "putting", bucket, key, etag: md5 });
  const startMs = performance.now();
  try {
    const { etag } = await client.putObject({ bucket, key, body: bytes, check: "unsigned" });
    ledger.note({ type: "put", bucket, key, etag: md5 });
    if (etag !== md5) wrongAnswers.push(`${key} was stored with ETag ${etag} and has the MD5 ${md5}`);
    return { type: "stored", sizeBytes: bytes.length };
  } catch (error) {
    const answer = judgeAnswer(error);
    if (answer.type === "full") return { type: "full", ms: performance.now() - startMs };
    if (answer.type === "busy") return answer;
    wrongAnswers.push(`upload of ${key}: ${answer.why}`);
    return { type: "wrong" };
  }
}

export interface DeleteOptions {
  /** Agents are killed in the process, so requests may fail to reach the vault. */
  readonly mayBeDown?: boolean;
  readonly onDeleted?: (count: number) => void;
  readonly until?: AbortSignal;
}

/** Resolves to the duration of each delete from its first attempt, in the order of acknowledgement. */
export async function deleteAll(
  context: FullContext,
  names: readonly ObjectName[],
  { mayBeDown = false, onDeleted, until = context.interrupted }: DeleteOptions = {},
): Promise<number[]> {
  const { vault, clientCount, onProgress } = context;
  const client = vault.createClient(clientCount);
  const durationsMs: number[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let name = names[next++]; name !== undefined && !until.aborted; name = names[next++]) {
      const startMs = performance.now();
      if (!(await deletePatiently(context, client, name, { mayBeDown, until }))) continue;
      durationsMs.push(performance.now() - startMs);
      onProgress(`Deleting, ${names.length - durationsMs.length} to go`);
      onDeleted?.(durationsMs.length);
    }
  };
  try {
    await Promise.all(Array.from({ length: clientCount }, work));
    return durationsMs;
  } finally {
    client.close();
  }
}

async function deletePatiently(
  { ledger, wrongAnswers }: FullContext,
  client: S3Client,
  { bucket, key }: ObjectName,
  { mayBeDown, until }: { readonly mayBeDown: boolean; readonly until: AbortSignal },
): Promise<boolean> {
  const deadlineMs = performance.now() + DELETED_WITHIN_MS;
  ledger.note({ type: "deleting", bucket, key });
  while (!until.aborted) {
    try {
      await client.deleteObject({ bucket, key });
      ledger.note({ type: "deleted", bucket, key });
      return true;
    } catch (error) {
      const answer = judgeAnswer(error);
      const mayRepeat = answer.type === "busy" || (answer.type === "unreachable" && mayBeDown);
      if (!mayRepeat || performance.now() > deadlineMs) {
        wrongAnswers.push(`delete of ${key}: ${"why" in answer ? answer.why : answer.type}`);
        return false;
      }
      await delay(PAUSE_MS);
    }
  }
  return false;
}

/** Everything that may exist: acknowledged objects, and uploads without an answer. */
export function namesThatMayBeThere(ledger: Ledger): ObjectName[] {
  return ledger.names().filter(({ bucket, key }) => {
    const allowed = ledger.find(bucket, key)?.allowed;
    return allowed === undefined || [...allowed].some((etag) => etag !== null);
  });
}

/** Uploads one object as soon as the vault accepts it, and deletes it. Resolves to the wait for acceptance. */
export async function untilTaken(context: FullContext, key: string): Promise<number> {
  const client = context.vault.createClient(1);
  const startMs = performance.now();
  try {
    while ((await putOnce(context, client, key)).type !== "stored") {
      context.interrupted.throwIfAborted();
      if (performance.now() - startMs > STALLED_AFTER_MS) {
        throw new DrillError(
          `The vault accepted no upload within ${STALLED_AFTER_MS / 1000} s after everything was deleted.`,
        );
      }
      await delay(PAUSE_MS);
    }
    const waitedMs = performance.now() - startMs;
    await deleteAll(context, [{ bucket: context.bucket, key }]);
    return waitedMs;
  } finally {
    client.close();
  }
}
