/** Main loop of the probe: delivers stored reports, requests a job, runs it, and repeats. */
import { setTimeout as delay } from "node:timers/promises";
import type { ProbeJob } from "@stashlight/contracts/probe/job";
import { askForJob, type ProbeOptions, postReport } from "@stashlight/telemetry";
import type { Logger } from "pino";
import { type OfferedDrive, toldDrive } from "./drives/drives.ts";
import { runFsyncJob } from "./fsync/run-job.ts";
import { Outbox } from "./outbox.ts";

export interface ProbeLife {
  readonly ingest: ProbeOptions;
  readonly outboxFolder: string;
  readonly drives: readonly OfferedDrive[];
  readonly pollMs: number;
  readonly beatMs: number;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
}

/** Resolves after a stop request, once the work in progress is stored. */
export async function live(life: ProbeLife): Promise<void> {
  const { ingest, logger, stopping } = life;
  const outbox = await Outbox.open({
    folder: life.outboxFolder,
    post: (report) => postReport(ingest, report),
    onDropped: ({ type }, reason) => logger.warn({ type, reason }, "a report was dropped"),
    onDiskFailure: (sentence) => logger.warn(sentence),
  });
  while (!stopping.aborted) {
    const waitMs = await pollOnce(life, outbox);
    await delay(waitMs, undefined, { signal: stopping }).catch(() => {});
  }
}

/** Returns the time to wait before the next call. */
async function pollOnce(life: ProbeLife, outbox: Outbox): Promise<number> {
  const { ingest, drives, pollMs, logger, stopping } = life;
  // A request for a job implies that no report of an earlier one will follow.
  const delivered = await outbox.deliver();
  if (delivered.type === "waiting") {
    logger.warn(
      { reason: delivered.reason, kept: outbox.count },
      "measurements are kept until the ingest accepts them",
    );
    return delivered.afterMs;
  }
  const answer = await askForJob(ingest, { drives: drives.map(toldDrive) });
  if (answer.type !== "job") {
    logger.warn({ reason: answer.reason }, "there is no job");
    return answer.type === "refused" ? pollMs : answer.afterMs;
  }
  const { fsync } = answer.job;
  const hadBenchmarks = await benchmark(answer.job, life, outbox);
  if (fsync === null) return hadBenchmarks ? 0 : pollMs;
  logger.info({ ...fsync.drive }, "a drive is measured");
  await outbox.add(await runFsyncJob(fsync, drives, stopping));
  return 0;
}

/** Loads the code that measures endpoints on demand: a probe of drives alone stays small. */
async function benchmark(
  { slot, leftovers, allowedNetworks }: ProbeJob,
  { beatMs, drives, logger, stopping }: ProbeLife,
  outbox: Outbox,
): Promise<boolean> {
  if (slot === null && leftovers.length === 0) return false;
  const [{ cleanUp, startSampler }, { measureDrive }] = await Promise.all([
    import("@stashlight/benchmark"),
    import("@stashlight/benchmark/drive"),
  ]);
  const { cleanOne, runSlot } = await import("./run-slot.ts");
  const options = { outbox, allowedNetworks, startSampler, measureDrive, cleanUp, drives, beatMs, stopping };
  for (const leftover of leftovers) await cleanOne(leftover, options);
  if (slot === null) return true;
  logger.info({ plannedAt: new Date(slot.plannedAtMs), runs: slot.runs.length }, "a slot begins");
  await runSlot(slot, options);
  logger.info({ kept: outbox.count }, "the slot is over");
  return true;
}
