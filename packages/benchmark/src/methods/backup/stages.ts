/** Stages of a backup run: their order, their connections, and their legs. */
import { estimateLegs, SECONDS_A_REQUEST } from "../legs.ts";
import type { Leg, MethodPlan } from "../method.ts";
import { type BackupParameters, backupCounts } from "./parameters.ts";

export interface PlannedStage {
  readonly kind: "full" | "incremental" | "merge" | "restore" | "writes";
  readonly name: string;
  readonly title: string;
  /** Number among the stages of its kind, from 1. */
  readonly number: number;
  /** Index of its first leg in the run. */
  readonly firstLeg: number;
  readonly legs: readonly Leg[];
}

/** Each line of a manifest is the SHA-256 of a block as text, and a line end. */
const MANIFEST_LINE_BYTES = 65;
export const RESTORED_MACHINE = 0;

/** Returns rounds, which run one after another; the stages of a round run concurrently. */
export function plannedRounds(parameters: BackupParameters): PlannedStage[][] {
  const { incrementalCount, mergesAfter, restoresWhileWriting } = parameters;
  let legCount = 0;
  const stage = (
    kind: PlannedStage["kind"],
    title: string,
    legs: readonly Leg[],
    number = 1,
  ): PlannedStage => {
    const firstLeg = legCount;
    legCount += legs.length;
    const name = kind === "incremental" ? `${kind}-${number}` : kind;
    return { kind, name, title, number, firstLeg, legs };
  };
  const { full, incremental, manifest, deletions, downloads, writes } = stageLegs(parameters);
  const rounds = [[stage("full", "Full backup", [full])]];
  for (let number = 1; number <= incrementalCount; number += 1)
    rounds.push([stage("incremental", `Incremental ${number}`, [incremental], number)]);
  if (mergesAfter) rounds.push([stage("merge", "Merge into a synthetic full", [manifest, deletions])]);
  if (restoresWhileWriting) {
    const restore = stage("restore", `Restore of machine ${RESTORED_MACHINE + 1}`, [downloads]);
    const others = stage("writes", "Incremental of the others meanwhile", [writes]);
    rounds.push(writes.connectionCount === 0 ? [restore] : [restore, others]);
  }
  return rounds;
}

/**
 * Operations of each kind of stage. With duplicate blocks these are upper bounds for deletions and downloads, because
 * a block is kept while it is at any place, and downloaded once.
 */
function stageLegs(parameters: BackupParameters) {
  const { blockBytes: sizeBytes, connectionCount, machineCount } = parameters;
  const { blockCount, distinctCount, changedCount, writerCount } = backupCounts(parameters);
  const { incrementalCount } = parameters;
  const leg = (operation: Leg["operation"], perMachine: number, machines: number): Leg => ({
    operation,
    sizeBytes,
    connectionCount: machines * connectionCount,
    sampleCount: machines * perMachine,
    secondsMax: null,
  });
  const manifestBytes = blockCount * MANIFEST_LINE_BYTES;
  return {
    full: leg("PUT", distinctCount, machineCount),
    incremental: leg("PUT", changedCount, machineCount),
    manifest: { ...leg("PUT", 1, machineCount), sizeBytes: manifestBytes, connectionCount: machineCount },
    deletions: leg("DELETE", incrementalCount * changedCount, machineCount),
    downloads: leg("GET", Math.min(blockCount, distinctCount + incrementalCount * changedCount), 1),
    writes: leg("PUT", changedCount, writerCount),
  };
}

/** All stages, and the uploads before them that open the connections. */
export function backupPlan(parameters: BackupParameters): MethodPlan {
  const { blockBytes, connectionCount, machineCount } = parameters;
  const rounds = plannedRounds(parameters);
  const legs = rounds.flat().flatMap((stage) => stage.legs);
  const of = (operation: Leg["operation"]) => legs.filter((leg) => leg.operation === operation);
  const count = (some: readonly Leg[]) => some.reduce((sum, { sampleCount }) => sum + (sampleCount ?? 0), 0);
  const bytes = (some: readonly Leg[]) =>
    some.reduce((sum, { sampleCount, sizeBytes }) => sum + (sampleCount ?? 0) * sizeBytes, 0);
  const warmUpCount = machineCount * connectionCount;
  const seconds = (stage: PlannedStage) =>
    stage.legs.reduce((sum, leg) => sum + requestSeconds(leg.sampleCount ?? 0, leg.connectionCount), 0);
  const stagesSeconds = rounds.map((round) => Math.max(...round.map(seconds)));
  const estimate = estimateLegs({
    putCount: count(of("PUT")) + warmUpCount,
    getCount: count(of("GET")),
    deleteCount: count(of("DELETE")),
    uploadedBytes: bytes(of("PUT")) + warmUpCount * blockBytes,
    downloadedBytes: bytes(of("GET")),
    seconds: requestSeconds(warmUpCount, warmUpCount) + stagesSeconds.reduce((sum, each) => sum + each, 0),
    isUpperBound: true,
  });
  // Without duplicate blocks nothing is random, so the bound is exact.
  const isUpperBound = parameters.restoresWhileWriting && parameters.duplicateShare > 0;
  return { legs, estimate: { ...estimate, isUpperBound } };
}

const requestSeconds = (requestCount: number, connectionCount: number): number =>
  (requestCount * SECONDS_A_REQUEST) / connectionCount;
