/** Deletes what runs left at their endpoints: right after each run, and again until it worked, also after a crash. */
import { StashlightError } from "@stashlight/contracts";
import { reachEndpoint } from "../../endpoint/target.ts";
import type { Platform } from "../../platform.ts";
import type { Runner } from "./runner.ts";

const firstRetryMs = 60_000;
const retryMsMax = 3_600_000;
/** As long as one try may take; until then nobody else begins one. */
const tryMsMax = 600_000;
const leftoversAtATime = 20;

/** Tries once; a failure is kept with the run, and leads to another try later. */
export async function cleanRun(
  platform: Platform,
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
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(tryMsMax)]);
    await clean(platform, { endpointId: run.endpointId, keyPrefix: run.keyPrefix ?? "" }, runner, limited);
    await db.benchmarkRun.updateMany({ where, data: { cleanedAt: platform.now(), cleanError: null } });
  } catch (error) {
    const cleanError = error instanceof StashlightError ? error.message : `${(error as Error)?.message}`;
    const waitMs = Math.min(retryMsMax, firstRetryMs * 2 ** (run.cleanAttempts - 1));
    const cleanAfter = new Date(platform.now().getTime() + (signal.aborted ? 0 : waitMs));
    await db.benchmarkRun.updateMany({ where, data: { cleanError, cleanAfter } });
  }
}

async function clean(
  platform: Platform,
  { endpointId, keyPrefix }: { endpointId: string | null; keyPrefix: string },
  runner: Runner,
  signal: AbortSignal,
): Promise<void> {
  const endpoint =
    endpointId === null ? null : await platform.db.endpoint.findUnique({ where: { id: endpointId } });
  if (endpoint === null) {
    throw new StashlightError(
      "precondition_failed",
      `The endpoint was deleted, so nobody can delete what is below ${keyPrefix} any more.`,
    );
  }
  const { target, credentials } = await reachEndpoint(platform, endpoint);
  await runner.cleanUp({ endpoint: target, credentials, runPrefix: keyPrefix, signal });
}

/** Tries again what is due of one vantage point; returns how many runs. */
export async function cleanLeftovers(
  platform: Platform,
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
