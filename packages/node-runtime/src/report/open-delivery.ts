/** Delivers an agent's windows to the ingest: enrols if necessary, and keeps undelivered windows on disk. */
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readEnrolmentToken } from "@stashlight/contracts/machine-agent";
import { HOUR_MS } from "@stashlight/contracts/time";
import {
  Delivery,
  type EnrolmentIdentity,
  obtainKey,
  openQuarantine,
  openSpoolFolder,
  type PostOptions,
  postBatch,
  Spool,
} from "@stashlight/telemetry";
import type { Logger } from "pino";
import { keyIn } from "./identity.ts";

export interface DeliveryTerms {
  /** Origin of the ingest, such as https://ingest.example.org. */
  readonly ingest: string;
  readonly caFile: string | null;
  /** File of the key, once there is one; the spool and refused batches are beside it. */
  readonly keyFile: string;
  readonly enrolmentTokenFile: string | null;
  readonly identity: EnrolmentIdentity;
  readonly bootId: number;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** More than a day of windows for a node with two dozen drives; `pnpm bench telemetry` measures it. */
const SPOOL_BYTES_MAX = 64 * 1_048_576;
/** Unit that is dropped when the spool is full: about half an hour for a node with a few drives. */
const SPOOL_SEGMENT_BYTES_MAX = 262_144;
/** Age up to which the ingest keeps raw windows, and beyond which it refuses them. */
const SPOOL_AGE_MS_MAX = 48 * HOUR_MS;
const QUARANTINED_COUNT_MAX = 100;
const POST_TIMEOUT_MS = 15_000;

/**
 * Resolves when the agent has its key. Rejects if the signal is aborted, and if the ingest refuses the agent
 * permanently.
 */
export async function openDelivery(
  terms: DeliveryTerms,
): Promise<{ delivery: Delivery; asNode: PostOptions }> {
  const { keyFile, caFile, logger } = terms;
  const folder = dirname(keyFile);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const ca = caFile === null ? {} : { ca: await readFile(caFile, "utf8") };
  const ingest = { origin: terms.ingest, ...ca, timeoutMs: POST_TIMEOUT_MS };
  const obtained = await obtainKey({
    ...ingest,
    keyFile,
    token: await readEnrolmentToken(terms.enrolmentTokenFile),
    identity: terms.identity,
    onWait: (reason) => logger.warn({ reason }, "waiting for the ingest to enrol this node"),
    signal: terms.signal,
  });
  if (obtained.type === "none") throw new Error(obtained.reason);
  const spool = await Spool.open({
    files: await openSpoolFolder(join(folder, "spool")),
    bytesMax: SPOOL_BYTES_MAX,
    ageMsMax: SPOOL_AGE_MS_MAX,
    segmentBytesMax: SPOOL_SEGMENT_BYTES_MAX,
    nowMs: Date.now,
  });
  const quarantine = await openQuarantine(join(folder, "refused"), QUARANTINED_COUNT_MAX, Date.now);
  const asNode = { ...ingest, key: () => keyIn(keyFile), nowMs: Date.now };
  const delivery = new Delivery({
    nodeId: obtained.identity.nodeId,
    bootId: terms.bootId,
    spool,
    post: (batch) => postBatch(asNode, batch),
    putAside: quarantine.putAside,
    nowMs: Date.now,
    random: Math.random,
  });
  return { delivery, asNode };
}
