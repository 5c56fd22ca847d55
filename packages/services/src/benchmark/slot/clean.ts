/**
 * Deletes the objects that runs left at their endpoints: right after each run, with retries until that succeeds, also
 * after a crash.
 */

import { StashlightError } from "@stashlight/contracts/errors";
import { HOUR_MS } from "@stashlight/contracts/time";
import type { Core } from "../../core.ts";
import { reachEndpoint } from "../../endpoint/target.ts";
import { thrownMessage } from "../../thrown.ts";
import type { Runner } from "./runner.ts";

const firstRetryMs = 60_000;
const retryMsMax = HOUR_MS;
/** Time limit of one attempt; no other process starts one before it has passed. */
const tryMsMax = 600_000;
const leftoversAtATime = 20;

/** Tries once; a failure is stored with the run, and a retry scheduled. */
export async function cleanRun(
  platform: Core,
  runId: string,
  runner: Runner,
  signal: AbortSignal,
): Promise<void> {
  const { db } = platform;
  const begunAt = platform.now();
  const [run] = await db.benchmarkRun.updateManyAndReturn({
    where: {
      id: runId,
      keyPrefix: { not: null },
      cleanedAt: null,
      cleanAfter: { lte: begunAt },
      state: { notIn: ["queued", "running"] },
    },
    data: { cleanAfter: new Date(begunAt.getTime() + tryMsMax), cleanAttempts: { increment: 1 } },
    select: { endpointId: true, keyPrefix: true, cleanAttempts: true },
  });
  if (run === undefined) return;
  const where = { id: runId, cleanedAt: null };
  const { endpointId, keyPrefix } = run;
  if (endpointId === null || keyPrefix === null) {
    const cleanError = `The endpoint was deleted, so the objects below ${keyPrefix} can no longer be deleted.`;
    await db.benchmarkRun.updateMany({ where, data: { cleanError, cleanAfter: null } });
    return;
  }
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(tryMsMax)]);
    const endpoint = await db.endpoint.findUniqueOrThrow({ where: { id: endpointId } });
    const { target, credentials } = await reachEndpoint(platform, endpoint);
    await runner.cleanUp({ endpoint: target, credentials, runPrefix: keyPrefix, signal: limited });
    await db.benchmarkRun.updateMany({ where, data: { cleanedAt: platform.now(), cleanError: null } });
  } catch (error) {
    const cleanError = error instanceof StashlightError ? error.message : thrownMessage(error);
    const waitMs = Math.min(retryMsMax, firstRetryMs * 2 ** (run.cleanAttempts - 1));
    const cleanAfter = new Date(platform.now().getTime() + (signal.aborted ? 0 : waitMs));
    await db.benchmarkRun.updateMany({ where, data: { cleanError, cleanAfter } });
  }
}

/** Retries due deletions of one vantage point; returns the number of runs. */
export async function cleanLeftovers(
  platform: Core,
  vantageNodeId: string | null,
  runner: Runner,
  signal: AbortSignal,
): Promise<number> {
  const due = await platform.db.benchmarkRun.findMany({
    where: {
      vantageNodeId,
      keyPrefix: { not: null },
      cleanedAt: null,
      cleanAfter: { lte: platform.now() },
      state: { notIn: ["queued", "running"] },
    },
    orderBy: { cleanAfter: "asc" },
    take: leftoversAtATime,
    select: { id: true },
  });
  for (const { id } of due) await cleanRun(platform, id, runner, signal);
  return due.length;
}
