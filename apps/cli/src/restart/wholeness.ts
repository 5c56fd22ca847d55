/** Waits until a vault has all that it can spare, so that the next process may be stopped. */
import { setTimeout as delay } from "node:timers/promises";
import { askAdmin } from "@stashlight/node-runtime/durability";
import { z } from "zod";
import type { Screen } from "../screen.ts";
import { describeProgress, progressLines } from "../status/progress.ts";
import type { StatusReport } from "../status/report.ts";
import { readStatus } from "../status/status.ts";
import { counted } from "../units.ts";
import { openVault } from "../vault/access.ts";

const LOOK_EVERY_MS = 500;

export interface Wholeness {
  readonly isWhole: boolean;
  /** Number of shards that pods still lack. */
  readonly missingShardCount: number;
  readonly sentence: string;
}

type Judged = Pick<
  StatusReport,
  | "coordinators"
  | "pods"
  | "stash"
  | "podCount"
  | "margin"
  | "problems"
  | "rebuildBytesPerSecond"
  | "lostObjectCount"
>;

/**
 * Whole means: all coordinators serve and know that all pods have settled, no shard is missing, all stash devices serve,
 * and acknowledged uploads have n - 1 durable shards at least. `unconnected` has the nodes that a coordinator lacks a
 * connection with.
 */
export function judgeWholeness(
  report: Judged,
  unconnected: readonly string[],
  parityShardCount: number,
): Wholeness {
  const progress = progressLines(report);
  const { missingShardCount } = progress;
  const isRebuilding = missingShardCount > 0;
  const waitsFor = firstProblem(report, unconnected, parityShardCount);
  const isWhole = waitsFor === null && !isRebuilding;
  const sentence = waitsFor === null || isRebuilding ? describeProgress(progress, report) : waitsFor;
  return { isWhole, missingShardCount, sentence };
}

function firstProblem(
  { coordinators, pods, stash, podCount, margin, problems }: Judged,
  unconnected: readonly string[],
  parityShardCount: number,
): string | null {
  const drive = [...pods, ...stash].find(({ isWell }) => !isWell);
  const coordinator = coordinators.find(
    ({ isReady, settledPodCount }) => !isReady || settledPodCount !== podCount,
  );
  if (drive !== undefined || coordinator !== undefined) {
    const named = drive?.node ?? coordinator?.node ?? "";
    return problems.find((problem) => problem.includes(named)) ?? `${named} is not ready yet.`;
  }
  if (unconnected.length > 0) return `A coordinator has no connection to ${unconnected.join(", ")} yet.`;
  if (margin !== null && margin < parityShardCount - 1)
    return `Acknowledged uploads can lose only ${counted(margin, "shard")}; the next restart waits until they can lose ${parityShardCount - 1}.`;
  return null;
}

const connectionsSchema = z.object({ connectedNodeIds: z.array(z.string()) });

async function readWholeness(config: string): Promise<Wholeness> {
  const { file, admin } = openVault(config);
  const holders = file.nodes.filter(({ role }) => role !== "coordinator");
  const unconnected = file.nodes
    .filter(({ role }) => role === "coordinator")
    .map(async (node) => {
      const answer = await askAdmin(node, "/healthz", { access: admin });
      const page = answer.type === "answered" ? connectionsSchema.safeParse(answer.body).data : undefined;
      return holders.filter(({ id }) => page?.connectedNodeIds.includes(id) !== true).map(({ id }) => id);
    });
  const [report, ...missing] = await Promise.all([readStatus(config), ...unconnected]);
  return judgeWholeness(report, [...new Set(missing.flat())], file.scheme.parityShardCount);
}

/** Detects progress, because a rebuild may take any time, but shards of a lost object never come back. */
export class Progress {
  #leastMissing = Number.POSITIVE_INFINITY;

  /** Returns true if fewer shards are missing than ever before. */
  isMade(missingShardCount: number): boolean {
    if (missingShardCount >= this.#leastMissing) return false;
    this.#leastMissing = missingShardCount;
    return true;
  }
}

export type WaitOutcome =
  | { readonly type: "whole"; readonly sentence: string }
  | { readonly type: "stuck"; readonly sentence: string }
  | { readonly type: "interrupted" };

/** Gives up when `patienceMs` pass in which the vault did not become whole and no missing shard came back. */
export async function waitUntilWhole(
  config: string,
  { screen, interrupted, patienceMs }: { screen: Screen; interrupted: AbortSignal; patienceMs: number },
): Promise<WaitOutcome> {
  const progress = new Progress();
  let waitingSinceMs = performance.now();
  while (!interrupted.aborted) {
    const { isWhole, missingShardCount, sentence } = await readWholeness(config);
    if (isWhole) return { type: "whole", sentence };
    if (progress.isMade(missingShardCount)) waitingSinceMs = performance.now();
    if (performance.now() - waitingSinceMs > patienceMs) return { type: "stuck", sentence };
    screen.draw(sentence);
    await delay(LOOK_EVERY_MS, undefined, { signal: interrupted }).catch(() => {});
  }
  return { type: "interrupted" };
}
