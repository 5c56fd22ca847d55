/** How far pods are with the shards that they lack, and when all will be there. */
import { setTimeout as delay } from "node:timers/promises";
import type { Screen } from "../screen.ts";
import type { DriveReport, StatusReport } from "../status/report.ts";
import { readStatus } from "../status/status.ts";
import { counted, formatDuration, formatSize } from "../units.ts";

export interface RebuildProgress {
  readonly missingBytes: number;
  readonly missingShardCount: number;
  /** Pods that have not settled, and do not know yet what they lack. */
  readonly unsettled: readonly DriveReport[];
  /** Null while it cannot be told. */
  readonly secondsLeft: number | null;
}

/** The rate is what was rebuilt since the first look; until then the bound is taken for it. */
export function progressOf(
  pods: readonly DriveReport[],
  rate: { readonly boundBytesPerSecond: number; readonly measuredBytesPerSecond: number | null },
): RebuildProgress {
  const unsettled = pods.filter(({ isWell }) => !isWell);
  const missing = pods.flatMap((pod) => pod.missing ?? []);
  const missingBytes = missing.reduce((sum, { bytes }) => sum + bytes, 0);
  const missingShardCount = missing.reduce((sum, { shardCount }) => sum + shardCount, 0);
  // Pods are rebuilt at the same time, each at its own rate.
  const fullest = Math.max(0, ...missing.map(({ bytes }) => bytes));
  const bytesPerSecond = rate.measuredBytesPerSecond ?? rate.boundBytesPerSecond;
  const secondsLeft = unsettled.length > 0 || bytesPerSecond <= 0 ? null : fullest / bytesPerSecond;
  return { missingBytes, missingShardCount, unsettled, secondsLeft };
}

export function describeProgress(
  progress: RebuildProgress,
  { margin }: Pick<StatusReport, "margin">,
): string {
  const { missingBytes, missingShardCount, unsettled, secondsLeft } = progress;
  const safety = margin === null ? "" : `; uploads can spare ${counted(margin, "shard")} at least`;
  const waiting = unsettled.map(({ index, state }) => `pod ${index} is ${state}`).join(", ");
  if (missingShardCount === 0)
    return waiting === "" ? `All pods hold all their shards${safety}.` : `${waiting}${safety}.`;
  const left = secondsLeft === null ? "" : `, about ${formatDuration(secondsLeft)} to full redundancy`;
  const lacking = `${counted(missingShardCount, "shard")} of ${formatSize(missingBytes)} missing`;
  return `${waiting === "" ? "" : `${waiting}; `}${lacking}${left}${safety}.`;
}

const LOOK_EVERY_MS = 1000;

/** Resolves when all pods hold all their shards, or when it is interrupted; with whether they do. */
export async function followRebuild(
  config: string,
  screen: Screen,
  interrupted: AbortSignal,
): Promise<boolean> {
  const startMs = performance.now();
  let first: { readonly bytes: number; readonly atMs: number } | null = null;
  while (!interrupted.aborted) {
    const report = await readStatus(config);
    const nowMs = performance.now();
    const bytes = Math.max(0, ...report.pods.map(({ missing }) => missing?.bytes ?? 0));
    if (first === null || bytes > first.bytes) first = { bytes, atMs: nowMs };
    const doneBytesPerSecond = (1000 * (first.bytes - bytes)) / (nowMs - first.atMs);
    const progress = progressOf(report.pods, {
      boundBytesPerSecond: report.rebuildBytesPerSecond,
      measuredBytesPerSecond: nowMs > first.atMs && bytes < first.bytes ? doneBytesPerSecond : null,
    });
    const isDone = progress.unsettled.length === 0 && progress.missingShardCount === 0;
    const line = describeProgress(progress, report);
    if (isDone) {
      screen.say(`${line} It took ${formatDuration((nowMs - startMs) / 1000)}.`);
      return true;
    }
    screen.draw(line);
    await delay(LOOK_EVERY_MS, undefined, { signal: interrupted }).catch(() => {});
  }
  screen.draw("");
  screen.say("The rebuild goes on; npm run stashlight -- vault rebuild shows how far it is.");
  return false;
}
