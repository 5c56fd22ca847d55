/** Contaminated runs: those of which more samples than `taggedShareMax` fell into a disturbance of the client itself. */
import type { BenchmarkContamination } from "@stashlight/contracts/benchmark/result";
import { taggedShareMax } from "@stashlight/contracts/benchmark/sample";
import { RUNS_MIN } from "@stashlight/stats";
import { present } from "../present.ts";
import { columnNames, type EndpointFigures, type RunColumns } from "./run-columns.ts";

export interface SidesOfSlots {
  readonly a: EndpointFigures;
  readonly b: EndpointFigures;
}

/** More of them are counted and not named: an answer has a bounded length. */
const namedCountMax = 20;

/** Slots in which both sides have a median. */
export function commonSlots({ a, b }: SidesOfSlots): number[] {
  const comparable = ({ runs }: EndpointFigures) =>
    Array.from(runs.slotMs).filter((_, i) => !Number.isNaN(runs.medianMs[i]));
  const slots = new Set(comparable(a));
  return comparable(b).filter((slotMs) => slots.has(slotMs));
}

/** The runs of slots in which both sides have a median; every figure of a comparison is of these. */
export function pairedRuns(all: SidesOfSlots): SidesOfSlots {
  const common = new Set(commonSlots(all));
  return {
    a: onlySlots(all.a, (slotMs) => common.has(slotMs)),
    b: onlySlots(all.b, (slotMs) => common.has(slotMs)),
  };
}

/** A slot with one contaminated run is left out on both sides, because only pairs are compared. */
export function splitContaminated(all: SidesOfSlots): {
  clean: SidesOfSlots;
  contamination: BenchmarkContamination | null;
} {
  const runs = [...contaminatedRuns(all.a), ...contaminatedRuns(all.b)];
  if (runs.length === 0) return { clean: all, contamination: null };
  const slots = new Set(runs.map(({ slotMs }) => slotMs));
  const isClean = (slotMs: number): boolean => !slots.has(slotMs);
  const clean = { a: onlySlots(all.a, isClean), b: onlySlots(all.b, isClean) };
  const cleanPairCount = commonSlots(clean).length;
  const contamination = {
    runCount: all.a.runs.slotMs.length + all.b.runs.slotMs.length,
    contaminatedCount: runs.length,
    worst: runs.sort((one, other) => other.taggedShare - one.taggedShare).slice(0, namedCountMax),
    slotCount: slots.size,
    cleanPairCount,
    countMin: RUNS_MIN,
    isExcluded: cleanPairCount >= RUNS_MIN,
    otherwise: null,
  };
  return { clean, contamination };
}

function contaminatedRuns({ endpoint, runs }: EndpointFigures): BenchmarkContamination["worst"] {
  return Array.from(runs.slotMs, (slotMs, i) => ({
    endpointName: endpoint.name,
    slotMs,
    taggedShare: present(runs.taggedCount[i]) / Math.max(1, present(runs.n[i])),
  })).filter(({ taggedShare }) => taggedShare > taggedShareMax);
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
