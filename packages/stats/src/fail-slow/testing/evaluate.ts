/** Judges a labelled fleet once per day, as a page would, and counts drives that were found or wrongly called slow. */
import { judgePeers } from "../judge-peers.ts";
import type { LabelledDrive } from "./simulate-fleet.ts";

export interface Evaluation {
  readonly slowCount: number;
  readonly foundCount: number;
  /** Healthy drives that were called slow, each counted once per episode. */
  readonly falseAlarmCount: number;
  readonly healthyDriveYears: number;
  /** Days from the beginning of a fault to the verdict. */
  readonly daysToFind: readonly number[];
}

const HISTORY_DAYS = 7;

export function evaluateFleet(
  fleet: readonly (readonly LabelledDrive[])[],
  windowSeconds: number,
): Evaluation {
  return fleet.map((node) => evaluateNode(node, windowSeconds)).reduce(addEvaluations);
}

export const addEvaluations = (a: Evaluation, b: Evaluation): Evaluation => ({
  slowCount: a.slowCount + b.slowCount,
  foundCount: a.foundCount + b.foundCount,
  falseAlarmCount: a.falseAlarmCount + b.falseAlarmCount,
  healthyDriveYears: a.healthyDriveYears + b.healthyDriveYears,
  daysToFind: [...a.daysToFind, ...b.daysToFind],
});

function evaluateNode(node: readonly LabelledDrive[], windowSeconds: number): Evaluation {
  const windowsPerDay = Math.round(86_400 / windowSeconds);
  const windowCount = node[0]?.windows.length ?? 0;
  const foundAt = new Map<string, number>();
  let falseAlarmCount = 0;
  let before = new Set<string>();
  for (let end = HISTORY_DAYS * windowsPerDay; end <= windowCount; end += windowsPerDay) {
    const start = end - HISTORY_DAYS * windowsPerDay;
    const recent = node.map((drive) => ({ ...drive, windows: drive.windows.slice(start, end) }));
    const slow = new Set(
      judgePeers(recent, { windowSeconds }).drives.flatMap(({ id, state }) => (state === "slow" ? [id] : [])),
    );
    for (const { id, fault } of node) {
      if (!slow.has(id)) continue;
      if (fault !== null && end > fault.startsAtWindow)
        foundAt.set(id, Math.min(foundAt.get(id) ?? end, end));
      else if (!before.has(id)) falseAlarmCount += 1;
    }
    before = slow;
  }
  const faults = node.filter(({ fault }) => fault !== null);
  return {
    slowCount: faults.length,
    foundCount: foundAt.size,
    falseAlarmCount,
    healthyDriveYears: ((node.length - faults.length) * windowCount * windowSeconds) / (365 * 86_400),
    daysToFind: faults.flatMap(({ id, fault }) => {
      const at = foundAt.get(id);
      return at === undefined ? [] : [((at - (fault?.startsAtWindow ?? 0)) * windowSeconds) / 86_400];
    }),
  };
}
