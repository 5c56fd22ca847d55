/** Current durability of a vault in the console's words, from its nodes' answers. */
import { rebuildRate, type VaultFile } from "@stashlight/node-runtime/config";
import {
  describeAssumptions,
  describeLiveDurability,
  describeRemedy,
  judgeLiveDurability,
  type LivePod,
  type LiveVault,
} from "@stashlight/planner";
import type { DriveHealth } from "./health.ts";

export interface DurabilityReport {
  readonly sentence: string;
  /** Advice to shorten the time until everything is intact; null without any. */
  readonly remedy: string | null;
  /** The first one moves the values most; empty while the durability is unknown. */
  readonly assumptions: readonly string[];
  readonly nines: number | null;
  /** Number of pods that are away or lack shards. */
  readonly missingPodCount: number;
  /** `moment` for the nodes' answers alone; the console knows earlier rebuilds, failures, SMART and the stash too. */
  readonly source: "moment" | "console";
}

export interface AnsweredPod {
  readonly pod: number;
  /** Null if its node does not answer. */
  readonly health: DriveHealth | null;
  /** False if no coordinator counts it; it is then as good as away. */
  readonly isCounted: boolean;
}

export function reportDurability(file: VaultFile, pods: readonly AnsweredPod[]): DurabilityReport {
  const vault = liveVault(file, pods);
  const judged = judgeLiveDurability(vault);
  const known = {
    sentence: describeLiveDurability(judged),
    missingPodCount: vault.pods.filter(({ state }) => state !== "whole").length,
    source: "moment" as const,
  };
  if (judged.kind === "unknown") return { ...known, remedy: null, assumptions: [], nines: null };
  return {
    ...known,
    remedy: describeRemedy(judged),
    assumptions: describeAssumptions(judged),
    nines: judged.nines.value,
  };
}

/** A command sees one moment: rates of earlier rebuilds and failures of the fleet are known only to the console. */
function liveVault(file: VaultFile, pods: readonly AnsweredPod[]): LiveVault {
  const { scheme } = file;
  const answered = pods.flatMap(({ health }) => health ?? []);
  const held = answered.flatMap(({ log, missing }) =>
    log === null ? [] : log.bytesLive + (missing?.bytes ?? 0),
  );
  const scrubs = answered.flatMap(({ scrub }) => scrub?.oldestUnverifiedSeconds ?? []);
  const rates = answered.flatMap(({ missing }) => missing?.bytesPerSecond ?? []).toSorted((a, b) => a - b);
  const now = (count: number) => ({ count, ageSeconds: 0 });
  return {
    scheme: { dataShards: scheme.dataShardCount, parityShards: scheme.parityShardCount },
    pods: pods.map(livePod),
    podBytes: held.length === 0 ? null : { ...now(held.length), bytes: Math.max(...held) },
    rebuild:
      rates.length === 0
        ? null
        : {
            ...now(rates.length),
            median: rates[Math.floor(rates.length / 2)] ?? 0,
            low: rates[0] ?? 0,
            high: rates.at(-1) ?? 0,
          },
    rebuildLimit: rebuildRate(file),
    models: [],
    seen: { failures: 0, driveYears: 0 },
    scrub: scrubs.length === 0 ? null : { ...now(scrubs.length), oldestSeconds: Math.max(...scrubs) },
    stash: null,
    objectBytes: null,
  };
}

function livePod({ pod, health, isCounted }: AnsweredPod): LivePod {
  const none = { missingBytes: 0, secondsLeft: null, model: null, isSuspect: false };
  if (!isCounted || health === null || (health.state.lifecycle ?? health.state.type) !== "settled") {
    return { ...none, pod, state: "away" };
  }
  const { shardCount = 0, bytes = 0, bytesPerSecond = null } = health.missing ?? {};
  if (shardCount === 0) return { ...none, pod, state: "whole" };
  return {
    ...none,
    pod,
    state: "rebuilding",
    missingBytes: bytes,
    secondsLeft: bytesPerSecond === null ? null : bytes / bytesPerSecond,
  };
}
