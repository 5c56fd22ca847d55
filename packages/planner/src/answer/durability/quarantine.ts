/**
 * Sentences about what the quarantine of a slow drive costs in nines: in a plan, before the command acts, and on the
 * drive's page.
 */
import { annualFailureRates } from "@stashlight/devices";
import { markovAnnualLoss, stashWindowLoss } from "@stashlight/durability";
import { counted, formatShare } from "../../format-figures.ts";
import type { StashPlanInput } from "../../sizing/plan-types.ts";
import { liveAssumptions } from "./live/assumptions.ts";
import { annualLoss, toNines } from "./loss.ts";
import { groupOf, type RunningScheme } from "./running-vault.ts";
import { ninesInWords } from "./sentence.ts";

/** Stash devices that new uploads may use. */
export interface StashSupply {
  readonly before: number;
  readonly after: number;
}

const YEAR_SECONDS = 365 * 86_400;

/** Nines of an upload that is on the stash alone when the power fails, with a shard on each of `copyCount` devices. */
function ninesInCut(
  { dataShards }: RunningScheme,
  copyCount: number,
  driveLostInCut: number = liveAssumptions.ssdLostInCut,
): number {
  // A residence of a whole year at one cut a year makes a cut certain.
  const certain = { residenceSeconds: YEAR_SECONDS, cutsPerYear: 1 };
  const parityShards = copyCount + 1 - dataShards;
  return toNines(stashWindowLoss({ dataShards, parityShards, ...certain, driveLostInCut }));
}

/** Describes the cost of taking a stash device out of new uploads, or of releasing it. */
export function describeStashQuarantine(scheme: RunningScheme, { before, after }: StashSupply): string {
  const shardCount = scheme.dataShards + scheme.parityShards;
  const needed = shardCount - 1;
  const supply = `Of the stash devices ${after} take new shards instead of ${before}`;
  const stored = "The nines of stored objects stay the same, because they are those of the pods.";
  const copies = (devices: number): number => Math.min(shardCount, devices);
  if (copies(before) === copies(after)) {
    return `${supply}, and an upload uses ${shardCount}, of which it waits for ${needed}. It costs no nines: an upload has as many shards on the stash as before. ${stored}`;
  }
  const [were, are] = [copies(before), copies(after)];
  const nines = (count: number): string => ninesInWords(ninesInCut(scheme, count));
  return `${supply}, and an upload uses up to ${shardCount}: it has ${are} shards on the stash instead of ${were} and waits for ${needed === are ? "each of them" : needed}. An upload that no pod has flushed survives a power cut with ${nines(are)} nines instead of ${nines(were)}, if a cut takes ${formatShare(liveAssumptions.ssdLostInCut)} of stash drives. ${stored}`;
}

/** Explains why a pod is replaced and not quarantined, with the nines of objects that would lack its shard. */
export function describePodQuarantine(scheme: RunningScheme, pod: string, rebuildSeconds: number): string {
  const { dataShards, parityShards } = scheme;
  const shardCount = dataShards + parityShards;
  const ninesOf = (parity: number): string =>
    ninesInWords(toNines(markovAnnualLoss(groupOf({ dataShards, parityShards: parity }, rebuildSeconds))));
  const lacking =
    parityShards > 1
      ? `, and objects written meanwhile would have ${ninesOf(parityShards - 1)} nines a year instead of ${ninesOf(parityShards)} (modelled: drives fail independently of each other, ${formatShare(annualFailureRates.hdd.value)} of them a year)`
      : ", and objects written meanwhile would survive no failed drive";
  return `${pod} is a pod, and a pod is not quarantined: an upload already waits for only ${shardCount - 1} of the ${counted(shardCount, "pod")}, the fastest ones. Without ${pod} it would need each of the other ${shardCount - 1} and be no faster${lacking}. Replace the drive instead: vault replace-drive ${pod}.`;
}

/** Describes what a quarantine would cost a vault that is planned: of a stash device, and of a pod. */
export function describePlannedQuarantine(input: StashPlanInput): string[] {
  const { dataShards, parityShards, ssdLostInCut } = input;
  const n = dataShards + parityShards;
  const inCut = (copies: number): string => ninesInWords(ninesInCut(input, copies, ssdLostInCut));
  const cut =
    ssdLostInCut === 0
      ? ""
      : `; an upload that no pod has flushed then survives a power cut with ${inCut(n - 1)} nines instead of ${inCut(n)}, if a cut takes ${formatShare(ssdLostInCut)} of stash drives`;
  const stash = `A slow stash device in quarantine costs no nines while ${n} stash devices or more take new shards: an upload keeps ${n} shards on the stash. With ${n - 1} left it has ${n - 1} and waits for each of them${cut}. With fewer left a quarantine is refused.`;
  const ninesOf = (parity: number): string =>
    ninesInWords(toNines(annualLoss({ ...input, parityShards: parity })));
  const lacking =
    parityShards > 1
      ? `objects written without it would have ${ninesOf(parityShards - 1)} nines a year instead of ${ninesOf(parityShards)}`
      : "objects written without it would survive no failed drive";
  return [
    stash,
    `A slow pod is replaced, not quarantined: ${lacking}, and an upload would be no faster, because it already waits for only ${n - 1} of the ${counted(n, "pod")}.`,
  ];
}
