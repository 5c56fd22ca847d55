/** Counts a drive's corrupt records and failed reads across reopenings. */
import type { LogCounters, LogStats } from "@stashlight/shard-log";
import { type DamageCounts, DamageReport } from "./damage-report.ts";
import type { DriveMachine } from "./drive-machine.ts";
import type { ScrubReport } from "./drive-scrub.ts";

export interface DriveDamage {
  /** Number of live records that fail their checksum and are not repaired; null while the drive is not running. */
  readonly corruptCount: number | null;
  readonly corruptTotal: number;
  readonly repairedTotal: number;
  readonly readErrorTotal: number;
  /** Number of records that the pod, the last scrub round or the current one could not read. */
  readonly unreadableCount: number;
  /**
   * Many records were found corrupt in a short time, so a controller, cable or memory is a more likely cause than rot.
   */
  readonly isCorrelated: boolean;
}

export interface ReadError {
  readonly file: string;
  readonly offset: number;
  readonly bytes: number;
  readonly cause: string;
}

export type DamageObservation =
  /** Counts since the last report; `corruptNow` counts every known record that is not repaired. */
  | ({
      readonly type: "damaged";
      readonly corruptNow: number;
      readonly firstReadError?: ReadError;
    } & DamageCounts)
  | { readonly type: "damageCorrelated"; readonly damagedCount: number };

type Counters = Pick<LogCounters, "recordsCorruptTotal" | "recordsRepairedTotal">;
type Stats = Pick<LogStats, "recordsCorrupt"> & { readonly counters: Counters };
type MachineDamage = ReturnType<NonNullable<DriveMachine["damage"]>> | undefined;

export class DamageWatch {
  readonly #report = new DamageReport();
  /** Totals of earlier boots; the log counts those of the current one. */
  #corruptBefore = 0;
  #repairedBefore = 0;
  #readErrorTotal = 0;
  /** The first failed read since the last report. */
  #firstReadError: ReadError | null = null;
  #wasCorrelated = false;

  readFailed(error: ReadError): void {
    this.#readErrorTotal++;
    this.#firstReadError ??= error;
  }

  bootEnded(counters: Counters | undefined): void {
    this.#corruptBefore += counters?.recordsCorruptTotal ?? 0;
    this.#repairedBefore += counters?.recordsRepairedTotal ?? 0;
    this.#wasCorrelated = false;
  }

  /** Returns the observations to log. */
  check(stats: Stats, machine: MachineDamage, nowMs: number): DamageObservation[] {
    const corruptNow = stats.recordsCorrupt;
    const corruptCount = this.#corruptBefore + stats.counters.recordsCorruptTotal;
    const news = this.#report.note({ corruptCount, readErrorCount: this.#readErrorTotal }, nowMs);
    const firstReadError = this.#firstReadError;
    if (news !== null) this.#firstReadError = null;
    const isCorrelated = machine?.isCorrelated ?? false;
    const hasBegun = isCorrelated && !this.#wasCorrelated;
    this.#wasCorrelated = isCorrelated;
    return [
      ...(news === null
        ? []
        : [{ type: "damaged" as const, corruptNow, ...news, ...(firstReadError && { firstReadError }) }]),
      ...(hasBegun
        ? [{ type: "damageCorrelated" as const, damagedCount: machine?.damagedCount ?? corruptNow }]
        : []),
    ];
  }

  damage(
    stats: Stats | null,
    machine: MachineDamage,
    scrub: Pick<ScrubReport, "unreadableCount" | "last">,
  ): DriveDamage {
    return {
      corruptCount: stats?.recordsCorrupt ?? null,
      corruptTotal: this.#corruptBefore + (stats?.counters.recordsCorruptTotal ?? 0),
      repairedTotal: this.#repairedBefore + (stats?.counters.recordsRepairedTotal ?? 0),
      readErrorTotal: this.#readErrorTotal,
      unreadableCount: Math.max(
        scrub.unreadableCount,
        scrub.last?.unreadableCount ?? 0,
        machine?.unreadableCount ?? 0,
      ),
      isCorrelated: machine?.isCorrelated ?? false,
    };
  }
}
