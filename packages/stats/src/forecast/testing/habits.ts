/** Use of a simulated vault, drawn at random. */
import type { Uniform } from "../../random.ts";
import { stepsPerDay } from "./steps.ts";

export type VaultUse = "level" | "growing" | "rotating" | "import" | "demo";

export interface Habits {
  readonly use: VaultUse;
  readonly start: number;
  readonly growthPerDay: number;
  /** Excess of the busiest hour's writes over the average, 0 to 1. */
  readonly cycle: number;
  readonly peakHour: number;
  /** Bytes written on a weekend day, relative to a working day. */
  readonly weekend: number;
  readonly burstsPerDay: number;
  readonly deletesPerDay: number;
  readonly rebuildsPerDay: number;
  readonly benchmarkEverySteps: number;
  readonly benchmarkShare: number;
  readonly benchmarkSteps: number;
  /** Share of bytes that are written during the day and deleted at night. */
  readonly scratchShare: number;
  /** Step at which the growth is multiplied by this factor. */
  readonly turnStep: number;
  readonly turnTimes: number;
  readonly importStep: number;
  readonly importPerDay: number;
}

/** Among 100 vaults, 40 stay level, 30 grow, 12 rotate backups, 12 get an import and 6 run only the demo. */
function drawUse(uniform: Uniform): VaultUse {
  const draw = uniform();
  if (draw < 0.4) return "level";
  if (draw < 0.7) return "growing";
  if (draw < 0.82) return "rotating";
  return draw < 0.94 ? "import" : "demo";
}

export function drawHabits(uniform: Uniform, dayCount: number): Habits {
  const use = drawUse(uniform);
  const between = (low: number, high: number): number => low + (high - low) * uniform();
  const logBetween = (low: number, high: number): number => low * (high / low) ** uniform();
  const isSo = (share: number): boolean => uniform() < share;
  const grows = use === "growing" || use === "rotating" || use === "import";
  const never = Number.POSITIVE_INFINITY;
  return {
    use,
    start: use === "demo" || isSo(0.3) ? 0 : between(0.05, 0.85),
    growthPerDay: grows ? logBetween(0.002, use === "growing" ? 0.12 : 0.03) : 0,
    cycle: between(0, 1),
    peakHour: between(0, 24),
    weekend: isSo(0.5) ? 1 : between(0.3, 1),
    burstsPerDay: isSo(0.5) ? 0 : logBetween(0.1, 1.5),
    deletesPerDay: isSo(0.5) ? 0 : logBetween(0.02, 0.15),
    rebuildsPerDay: isSo(0.9) ? 0 : 0.05,
    benchmarkEverySteps: isSo(0.5) ? 0 : Math.round(logBetween(2, 72)),
    benchmarkShare: logBetween(0.003, 0.06),
    benchmarkSteps: isSo(0.85) ? 1 : Math.round(between(2, 9)),
    scratchShare: isSo(0.7) ? 0 : logBetween(0.002, 0.04),
    turnStep: isSo(0.6) ? never : Math.round(between(2, dayCount) * stepsPerDay),
    turnTimes: isSo(0.3) ? 0 : logBetween(0.3, 4),
    importStep: use === "import" ? Math.round(between(0.5, 0.9 * dayCount) * stepsPerDay) : never,
    importPerDay: logBetween(0.25, 1.2),
  };
}
