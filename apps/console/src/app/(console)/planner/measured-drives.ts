/** Drives measured by benchmarks, for the planner's form. */
import type { DriveRow, PlannableDrive } from "@stashlight/contracts/disk";
import { formatFigure, type StashAnswer, type StashPlanInput } from "@stashlight/planner";
import { findField, shownAs } from "./draft.ts";

export type MeasuredDrive = DriveRow & { readonly plannable: PlannableDrive };

export const measuredDrives = (drives: readonly DriveRow[]): MeasuredDrive[] =>
  drives.flatMap((drive) => (drive.plannable === null ? [] : { ...drive, plannable: drive.plannable }));

/** "host-1/data, measured 2026-11-24", so that a plan names the source of its figures. */
export const measuredName = ({ name, label, plannable }: MeasuredDrive): string =>
  `${name}, ${label} ${plannable.measuredAt.toISOString().slice(0, 10)}`;

/** Returns true if a plan's drive has a name from `measuredName`. */
export const isMeasuredName = (name: string): boolean =>
  /, (measured|modelled) \d{4}-\d{2}-\d{2}$/.test(name);

/** Form texts by path; unmeasured fields are unchanged. */
export function measuredTexts(drive: MeasuredDrive): Readonly<Record<string, string>> {
  const { capacityBytes, writeBytesPerSecond, writeIops, fsyncPerSecond } = drive.plannable;
  const figures = {
    "drive.capacityBytes": capacityBytes,
    "drive.writeBytesPerSecond": writeBytesPerSecond,
    "drive.writeIops": writeIops,
    "drive.fsyncPerSecond": fsyncPerSecond,
  };
  const texts = Object.entries(figures).flatMap(([path, value]) =>
    value === null ? [] : [[path, shownAs(findField(path) ?? { factor: 1 }, Number(value.toPrecision(3)))]],
  );
  return { "drive.name": measuredName(drive), ...Object.fromEntries(texts) };
}

/**
 * Note for a plan with a drive that bursts: either that the plan uses the rate after the burst, or that the plan's peak
 * outlasts the bucket. Null for other drives.
 */
export function burstWarning(
  { plannable: { burst } }: MeasuredDrive,
  input: Pick<StashPlanInput, "writesPerShard" | "purgeWritesPerShard">,
  { plan }: Pick<StashAnswer, "plan">,
): { readonly isOutlasted: boolean; readonly sentence: string } | null {
  if (burst === null) return null;
  const { iops, sustainedIops, bucketIos } = burst;
  const perDrive =
    (plan.load.peakShardsPerSecond * (input.writesPerShard + input.purgeWritesPerShard)) / plan.drives;
  const [burstWords, keptWords, neededWords] = [iops, sustainedIops, perDrive].map((rate) =>
    formatFigure(Number(rate.toPrecision(3))),
  );
  if (perDrive <= sustainedIops) {
    return {
      isOutlasted: false,
      sentence: `This drive bursts to ${burstWords} IOPS and then sustains ${keptWords}; the plan uses the sustained rate, and its peak needs ${neededWords} IOPS of each drive.`,
    };
  }
  const seconds = bucketIos / (perDrive - sustainedIops);
  return {
    isOutlasted: true,
    sentence: `The plan’s peak needs ${neededWords} IOPS of each drive, and this drive sustains ${keptWords}: its bucket of ${formatFigure(Number(bucketIos.toPrecision(3)))} I/Os is empty after ${formatFigure(Math.round(seconds))} s of peak. Plan for more drives, or for one that sustains the rate.`,
  };
}
