/**
 * Drive days and failures by quarter and model, summed from rows of Drive Stats: one row for each drive and day. Memory is
 * bounded by the drives of one day, because the rows of a day have to be together.
 */
import { type DriveStatsImport, quarterOf } from "@stashlight/contracts/failure-rate";
import { median } from "@stashlight/stats";
import { z } from "zod";
import { UsageError } from "../usage-error.ts";

export interface DriveRow {
  /** ISO day. */
  readonly day: string;
  readonly model: string;
  readonly serial: string;
  readonly hasFailed: boolean;
}

export type ImportedQuarter = DriveStatsImport["quarters"][number];

export interface LeftOut {
  /** Rows that repeat a drive of the same day. */
  readonly repeatedRowCount: number;
  readonly unknownModelRowCount: number;
}

/** Several times the number of drives of the operator that publishes these files. */
const DRIVES_PER_DAY_MAX = 2_000_000;
/** More than a century of drive days. */
const DAYS_MAX = 40_000;
/** A day with a smaller share of the usual rows has a truncated file, or many drives were missing on it. */
const SHORT_DAY_SHARE = 0.5;

const isDay = (text: string): boolean => z.iso.date().safeParse(text).success;

interface Counts {
  driveDays: number;
  failures: number;
}

export class DriveStatsTotals {
  readonly #quarters = new Map<string, Map<string, Counts>>();
  readonly #rowCounts = new Map<string, number>();
  #day = "";
  readonly #drives = new Set<string>();
  readonly #failed = new Set<string>();
  #repeatedRowCount = 0;
  #unknownModelRowCount = 0;

  /** `place` names the row for an error, such as "2026-01-01.csv, line 7". */
  add({ day, model, serial, hasFailed }: DriveRow, place: () => string): void {
    if (day !== this.#day) this.#beginDay(day, place);
    if (model === "") {
      this.#unknownModelRowCount += 1;
      return;
    }
    const drive = `${model} ${serial}`;
    const counts = this.#countsOf(day, model);
    if (this.#drives.has(drive)) this.#repeatedRowCount += 1;
    else {
      this.#drives.add(drive);
      counts.driveDays += 1;
      this.#rowCounts.set(day, this.#drives.size);
      if (this.#drives.size > DRIVES_PER_DAY_MAX) {
        throw new UsageError(
          `${place()}: ${day} has more than ${DRIVES_PER_DAY_MAX.toLocaleString("en")} drives.`,
        );
      }
    }
    if (hasFailed && !this.#failed.has(drive)) {
      this.#failed.add(drive);
      counts.failures += 1;
    }
  }

  #beginDay(day: string, place: () => string): void {
    if (!isDay(day)) throw new UsageError(`${place()}: the date "${day}" is not a day such as 2026-01-31.`);
    if (this.#rowCounts.has(day)) {
      throw new UsageError(
        `${place()}: rows of ${day} appear again after rows of other days, and would be counted twice. Give each file once, and sort a file of several days by its date.`,
      );
    }
    if (this.#rowCounts.size >= DAYS_MAX) throw new UsageError(`${place()}: there are too many days.`);
    this.#day = day;
    this.#rowCounts.set(day, 0);
    this.#drives.clear();
    this.#failed.clear();
  }

  #countsOf(day: string, model: string): Counts {
    const quarter = quarterOf(day);
    const models = this.#quarters.get(quarter) ?? new Map<string, Counts>();
    this.#quarters.set(quarter, models);
    const counts = models.get(model) ?? { driveDays: 0, failures: 0 };
    models.set(model, counts);
    return counts;
  }

  get leftOut(): LeftOut {
    return {
      repeatedRowCount: this.#repeatedRowCount,
      unknownModelRowCount: this.#unknownModelRowCount,
    };
  }

  /** The oldest first. */
  listQuarters(): ImportedQuarter[] {
    return [...this.#quarters]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([quarter, models]) => {
        const days = this.#daysOf(quarter);
        return {
          quarter,
          from: days[0] ?? "",
          to: days.at(-1) ?? "",
          dayCount: days.length,
          models: [...models].map(([model, counts]) => ({ model, ...counts })),
        };
      });
  }

  /** Days with far fewer drives than other days of their quarter: their files may be truncated. */
  listShortDays(): { readonly day: string; readonly driveCount: number; readonly usualCount: number }[] {
    return [...this.#quarters.keys()].flatMap((quarter) => {
      const days = this.#daysOf(quarter);
      const usualCount = median(days.map((day) => this.#rowCounts.get(day) ?? 0));
      return days
        .map((day) => ({ day, driveCount: this.#rowCounts.get(day) ?? 0, usualCount }))
        .filter(({ driveCount }) => driveCount < SHORT_DAY_SHARE * usualCount);
    });
  }

  #daysOf(quarter: string): string[] {
    return [...this.#rowCounts.keys()].filter((day) => quarterOf(day) === quarter).toSorted();
  }
}
