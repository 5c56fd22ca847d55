/** A kind of store: the metrics to request, and their conversion to metrics of the catalogue. */
import type { MetricName } from "@stashlight/contracts/metrics";
import type { Medium } from "../../arguments.ts";
import type { Sample, Samples } from "../exposition.ts";

export type ReadingLabels = Readonly<Record<string, string>>;

export type Reading =
  | {
      readonly type: "level";
      readonly metric: MetricName<"gauge">;
      readonly labels: ReadingLabels;
      readonly value: number;
    }
  | {
      /** A total since the store started, which resets on a restart. */
      readonly type: "count";
      readonly metric: MetricName<"counter">;
      readonly labels: ReadingLabels;
      readonly total: number;
    }
  | {
      /** Commits since the store started, and their total seconds. */
      readonly type: "commits";
      readonly labels: ReadingLabels;
      readonly count: number;
      readonly seconds: number;
    };

/** Readings of one drive, pool or daemon. */
export interface ReadDevice {
  /** Unique within its source. */
  readonly device: string;
  /** Null if the store does not report it. */
  readonly medium: Medium | null;
  /** `device` is the name with its source, as used in labels. */
  readonly readings: (device: string, medium: Medium) => readonly Reading[];
}

export interface SourceKind {
  readonly wanted: ReadonlySet<string>;
  readonly read: (samples: Samples) => readonly ReadDevice[];
}

export const findSamples = (samples: Samples, name: string): readonly Sample[] => samples.get(name) ?? [];

/** Keyed by the value of a label; samples without it are left out. */
export function valuesBy(samples: Samples, name: string, label: string): ReadonlyMap<string, number> {
  return new Map(
    findSamples(samples, name).flatMap(({ labels, value }) => {
      const key = labels.get(label);
      return key === undefined ? [] : [[key, value] as const];
    }),
  );
}

/** Returns a list with the reading, or an empty list without a value. */
export const gaugeReading = (
  metric: MetricName<"gauge">,
  labels: ReadingLabels,
  value: number | undefined,
): readonly Reading[] => (value === undefined || value < 0 ? [] : [{ type: "level", metric, labels, value }]);

export const counterReading = (
  metric: MetricName<"counter">,
  labels: ReadingLabels,
  total: number | undefined,
): readonly Reading[] =>
  // ZFS counts in 64 bits; values below zero, or beyond exact numbers, are unknown.
  total === undefined || total < 0 || total > Number.MAX_SAFE_INTEGER
    ? []
    : [{ type: "count", metric, labels, total }];

/** Fill level; the pages treat a store's drive as a file system. */
export function spaceReadings(
  device: string,
  usedBytes: number | undefined,
  capacityBytes: number | undefined,
): readonly Reading[] {
  if (usedBytes === undefined || capacityBytes === undefined || capacityBytes <= 0) return [];
  const labels = { filesystem: device };
  return [
    ...gaugeReading("stashlight_filesystem_used_bytes", labels, usedBytes),
    ...gaugeReading("stashlight_filesystem_capacity_bytes", labels, capacityBytes),
  ];
}
