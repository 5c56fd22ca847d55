/**
 * Compares the answer with sizing rules of other systems. A stash is a journal, not a cache: it holds data that has
 * arrived and is not yet stored elsewhere, so its size is a rate times a time, independent of the vault's data.
 */

import { formatFigure, formatPlanBytes } from "../format-figures.ts";
import type { StashPlanInput } from "../sizing/plan-types.ts";
import type { StashPlan } from "../sizing/required-drives.ts";

export interface CrossCheck {
  readonly name: string;
  /** Rule in words. */
  readonly rule: string;
  readonly source: string;
  readonly bytes: number;
  /** Number of drives for these bytes, filled to the plan's level. */
  readonly drives: number;
  /** True if the rule applies to a journal such as the stash. */
  readonly applies: boolean;
  readonly sentence: string;
}

/** OpenZFS opens a transaction group every 5 s (zfs_txg_timeout), and a second one may be open while one is written. */
const ZFS_SECONDS = 10;
const CEPH_FACTOR = 2;
const CACHE_SHARE = 0.1;

export function crossCheckPlan(input: StashPlanInput, plan: StashPlan): CrossCheck[] {
  const rate = plan.load.peakBytesPerSecond;
  const drivesFor = (bytes: number): number =>
    bytes / (input.drive.capacityBytes * input.usableFraction * input.maxFill);
  const check = (rule: Omit<CrossCheck, "drives">): CrossCheck => ({
    ...rule,
    drives: drivesFor(rule.bytes),
  });
  const slogBytes = rate * ZFS_SECONDS;
  const cephBytes = CEPH_FACTOR * rate * input.residenceSecondsP99;
  const cacheBytes = CACHE_SHARE * input.vaultBytes;
  return [
    check({
      name: "ZFS SLOG",
      rule: "peak rate x 10 s (two transaction groups of 5 s)",
      source: "OpenZFS: zfs_txg_timeout of 5 s, two groups in progress",
      bytes: slogBytes,
      applies: true,
      sentence: `The same rule, rate x time, at ZFS's 10 s gives ${formatPlanBytes(slogBytes)}; the stash keeps data longer, ${formatFigure(plan.requiredBytes / slogBytes)} times as much, since pods may be away.`,
    }),
    check({
      name: "Ceph FileStore journal",
      rule: "2 x peak rate x 99th percentile of residence",
      source: "Ceph, Journal Config Reference: 2 x expected throughput x filestore max sync interval",
      bytes: cephBytes,
      applies: true,
      sentence: `With the residence as the sync interval it gives ${formatPlanBytes(cephBytes)}: ${cephBytes <= plan.requiredBytes ? "the outage of the plan requires more" : "more than the plan, which needs no second half because it frees record by record"}.`,
    }),
    check({
      name: "Cache rule",
      rule: "10 % of the data of the vault",
      source:
        "VMware vSAN 6.5, planning flash for cache: at least 10 % of consumed storage, without replicas",
      bytes: cacheBytes,
      applies: false,
      sentence: `It gives ${formatPlanBytes(cacheBytes)}, but does not apply: a cache must hold what is read again, which grows with the data; a stash holds what is not yet flushed, which does not.`,
    }),
  ];
}
