/** Reporting as a node of a vault does it: its key, spool and quarantine lie in a folder of their own beside its state. */

import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { HOUR_MS } from "@stashlight/contracts/time/duration";
import {
  Delivery,
  obtainKey,
  openQuarantine,
  openSpoolFolder,
  postBatch,
  postTraces,
  type Recorder,
  Spool,
  type TraceSnapshot,
} from "@stashlight/telemetry";
import type { Logger } from "pino";
import type { VaultFile, VaultNode } from "../config/index.ts";
import { AGENT_VERSION } from "../metrics/node-metrics.ts";
import { keyFileOf, keyIn, nameOf } from "./identity.ts";
import { Reporter, type WindowTaker } from "./reporter.ts";
import { TraceSender } from "./trace-sender.ts";

export interface ReportingOptions {
  readonly file: VaultFile;
  readonly node: VaultNode;
  readonly bootId: number;
  readonly recorder: Recorder;
  /** All uploads whose moments are kept; what is new of them goes with each window. */
  readonly keptTraces?: () => readonly TraceSnapshot[];
  readonly enrolmentTokenFile: string | null;
  readonly logger: Logger;
}

/** More than a day of windows of a node with two dozen drives; `pnpm bench telemetry` measures it. */
const SPOOL_BYTES_MAX = 64 * 1_048_576;
/** What goes at once when there is no room: about half an hour of a node with a few drives. */
const SPOOL_SEGMENT_BYTES_MAX = 262_144;
/** What the ingest keeps raw; what is older would be refused. */
const SPOOL_AGE_MS_MAX = 48 * HOUR_MS;
const QUARANTINED_COUNT_MAX = 100;
const POST_TIMEOUT_MS = 15_000;

/** Null for a vault that sends nothing anywhere. */
export function startReporting(options: ReportingOptions): Reporter | null {
  const { file, recorder, logger } = options;
  if (file.telemetry === undefined) return null;
  return new Reporter({
    recorder,
    windowMs: file.telemetry.windowSeconds * 1000,
    open: (signal) => openDelivery(options, file.telemetry as NonNullable<VaultFile["telemetry"]>, signal),
    nowMs: Date.now,
    random: Math.random,
    logger,
  });
}

async function openDelivery(
  { file, node, bootId, recorder, keptTraces, enrolmentTokenFile, logger }: ReportingOptions,
  { ingest: origin, ca: caFile }: NonNullable<VaultFile["telemetry"]>,
  signal: AbortSignal,
): Promise<WindowTaker> {
  const keyFile = keyFileOf(node);
  const folder = join(keyFile, "..");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const ca = caFile === undefined ? {} : { ca: await readFile(caFile, "utf8") };
  const ingest = { origin, ...ca, timeoutMs: POST_TIMEOUT_MS };
  const obtained = await obtainKey({
    ...ingest,
    keyFile,
    token: await tokenIn(enrolmentTokenFile),
    identity: { name: nameOf(file, node), role: node.role, agentVersion: AGENT_VERSION },
    onWait: (reason) => logger.warn({ reason }, "waiting for the ingest to enrol this node"),
    signal,
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
    bootId,
    spool,
    post: (batch) => postBatch(asNode, batch),
    putAside: quarantine.putAside,
    nowMs: Date.now,
    random: Math.random,
  });
  if (keptTraces === undefined) return delivery;
  const post = (traces: readonly TraceSnapshot[]) => postTraces(asNode, traces);
  const sender = new TraceSender({ kept: keptTraces, post, recorder, nowMs: Date.now });
  return {
    take: async (window) => {
      await delivery.take(window);
      await sender.send();
    },
    status: () => delivery.status(),
  };
}

/** A token is wanted only until there is a key, and its file may be gone by then. */
async function tokenIn(path: string | null): Promise<string | null> {
  if (path === null) return null;
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
