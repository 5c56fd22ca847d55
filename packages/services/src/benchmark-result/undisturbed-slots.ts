/**
 * Selects the slots that a verdict may be based on. A run is disturbed if more of its samples than `taggedShareMax`
 * fell into a disturbance of the measuring computer (contaminated), or if its latency rose or fell during the run
 * (drift): its mean then depends on the computer, or on the length of the run.
 */
import type { BenchmarkContamination, BenchmarkSlots } from "@stashlight/contracts/benchmark";
import { taggedShareMax } from "@stashlight/contracts/sample";
import { RUNS_MIN } from "@stashlight/stats";
import { present } from "../present.ts";
import { columnNames, type EndpointFigures, type RunColumns } from "./run-columns.ts";

export interface SidesOfSlots {
  readonly a: EndpointFigures;
  readonly b: EndpointFigures;
}

export interface AssessedSlots {
  readonly slots: BenchmarkSlots;
  /**
   * Undisturbed slots in which both have a run; if none is undisturbed, all slots in which both have a median. A run
   * whose median failed has no time to compare, and counts in its endpoint's success rate.
   */
  readonly compared: SidesOfSlots;
  readonly contamination: BenchmarkContamination | null;
}

/** Further runs are counted but not named, to limit the length of an answer. */
const namedCountMax = 20;

/** A slot with one disturbed run counts on neither side, because only pairs are compared. */
export function assessSlots(all: SidesOfSlots): AssessedSlots {
  const measured = commonSlots(all);
  const disturbed = new Set([all.a, all.b].flatMap(({ runs }) => disturbedSlots(runs)));
  const undisturbed = measured.filter((slotMs) => !disturbed.has(slotMs));
  const compared = new Set(
    undisturbed.length > 0 ? sharedSlots(all).filter((slotMs) => !disturbed.has(slotMs)) : measured,
  );
  const isCompared = (slotMs: number): boolean => compared.has(slotMs);
  return {
    slots: {
      measuredCount: measured.length,
      undisturbedCount: undisturbed.length,
      neededCount: RUNS_MIN,
    },
    compared: { a: onlySlots(all.a, isCompared), b: onlySlots(all.b, isCompared) },
    contamination: measureContamination(all),
  };
}

function sharedSlots({ a, b }: SidesOfSlots): number[] {
  const slots = new Set(a.runs.slotMs);
  return Array.from(b.runs.slotMs).filter((slotMs) => slots.has(slotMs));
}

/** Slots in which both sides have a median. */
export function commonSlots({ a, b }: SidesOfSlots): number[] {
  const comparable = ({ runs }: EndpointFigures) =>
    Array.from(runs.slotMs).filter((_, i) => !Number.isNaN(runs.medianMs[i]));
  const slots = new Set(comparable(a));
  return comparable(b).filter((slotMs) => slots.has(slotMs));
}

/** Keeps the runs during which the measuring computer was quiet. */
export function withoutContaminated({ endpoint, runs }: EndpointFigures): EndpointFigures {
  const contaminated = new Set(runs.slotMs.filter((_, i) => isContaminated(runs, i)));
  return onlySlots({ endpoint, runs }, (slotMs) => !contaminated.has(slotMs));
}

export const isContaminated = ({ taggedShare }: Pick<RunColumns, "taggedShare">, run: number): boolean =>
  present(taggedShare[run]) > taggedShareMax;

export const disturbedSlots = (runs: RunColumns): number[] =>
  Array.from(runs.slotMs).filter((_, i) => isContaminated(runs, i) || runs.isDrifting[i] === 1);

function measureContamination({ a, b }: SidesOfSlots): BenchmarkContamination | null {
  const runs = [a, b].flatMap(({ endpoint, runs }) =>
    Array.from(runs.slotMs, (slotMs, i) => ({
      endpointName: endpoint.name,
      slotMs,
      startedMs: present(runs.startedMs[i]),
      taggedShare: present(runs.taggedShare[i]),
    })).filter((_, i) => isContaminated(runs, i)),
  );
  if (runs.length === 0) return null;
  return {
    runCount: a.runs.slotMs.length + b.runs.slotMs.length,
    contaminatedCount: runs.length,
    worst: runs
      .sort((one, other) => other.taggedShare - one.taggedShare)
      .slice(0, namedCountMax)
      .map(({ slotMs: _slot, ...run }) => run),
    slotCount: new Set(runs.map(({ slotMs }) => slotMs)).size,
  };
}

function onlySlots(
  { endpoint, runs }: EndpointFigures,
  isSlotKept: (slotMs: number) => boolean,
): EndpointFigures {
  const kept: RunColumns = { ...runs };
  const isKept = (_: number, i: number) => isSlotKept(present(runs.slotMs[i]));
  const columns = columnNames.map((name) => [name, runs[name].filter(isKept)]);
  return { endpoint, runs: { ...kept, ...Object.fromEntries(columns) } };
}
