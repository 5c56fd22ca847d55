/**
 * Back-test of forecasts on simulated vaults: coverage of intervals, false alarms, and full vaults that were missed.
 */
import { DAY_MS, HOUR_MS } from "../durations.ts";
import { forecastFull, likelyFullInMs } from "../forecast.ts";
import type { Forecast, HistoryPoint } from "../forecast-result.ts";
import { type SimulatedVault, simulateVault } from "./simulate-vault.ts";
import { stepMs, stepsPerDay } from "./steps.ts";

const stepsPerHour = HOUR_MS / stepMs;
const MONTH_DAYS = 30;
/** It takes six hours to detect growth, and an alarm is useful six hours ahead. */
const GROWTH_HOURS_MIN = 12;
const AHEAD_MS_MIN = 6 * HOUR_MS;
/** Reads history as the product does: hours for weeks, and points of ten minutes for the newest two days. */
const FINE_HOURS = 48;
const HOUR_COUNT_MAX = 28 * 24;

export interface BackTest {
  readonly vaultMonths: number;
  readonly forecastCount: number;
  /** Number of forecasts for vaults that were full in the end, after the last delete, rebuild or turn. */
  readonly intervalCount: number;
  readonly coveredCount: number;
  /** Number of alarms that a vault will be full within 24 h when it was not, although nothing was deleted. */
  readonly falseAlarmCount: number;
  /** Number of vaults filled by growth that had begun at least 12 h before. */
  readonly fullCount: number;
  /** Number of vaults with an alarm for full within 24 h at least 6 h before they were full. */
  readonly foundCount: number;
}

export interface BackTestOptions {
  readonly firstSeed: number;
  readonly vaultCount: number;
  readonly dayCount: number;
  readonly everyHours: number;
}

const nothing: BackTest = {
  vaultMonths: 0,
  forecastCount: 0,
  intervalCount: 0,
  coveredCount: 0,
  falseAlarmCount: 0,
  fullCount: 0,
  foundCount: 0,
};

export function backTest({ firstSeed, vaultCount, dayCount, everyHours }: BackTestOptions): BackTest {
  let total = nothing;
  for (let seed = firstSeed; seed < firstSeed + vaultCount; seed += 1) {
    const found = judgeVault(simulateVault(seed, dayCount), everyHours, seed % stepsPerHour);
    total = {
      vaultMonths: total.vaultMonths + found.vaultMonths,
      forecastCount: total.forecastCount + found.forecastCount,
      intervalCount: total.intervalCount + found.intervalCount,
      coveredCount: total.coveredCount + found.coveredCount,
      falseAlarmCount: total.falseAlarmCount + found.falseAlarmCount,
      fullCount: total.fullCount + found.fullCount,
      foundCount: total.foundCount + found.foundCount,
    };
  }
  return total;
}

/** `offset` is the step within the hour at which forecasts are made, so that benchmarks run at some of them. */
function judgeVault(vault: SimulatedVault, everyHours: number, offset: number): BackTest {
  const { levels, fullStep, growthStep, lastChangeStep } = vault;
  const points = Array.from(
    levels,
    (value, i): HistoryPoint => ({ atMs: (i + 1) * stepMs, value, peak: value }),
  );
  const hours = hoursOf(levels);
  let [forecastCount, intervalCount, coveredCount, falseAlarmCount] = [0, 0, 0, 0];
  let [alarmStep, isFound] = [Number.NEGATIVE_INFINITY, false];
  for (let step = stepsPerHour + offset; step < levels.length - 1; step += everyHours * stepsPerHour) {
    const fineHour = Math.max(0, Math.floor((step + 1) / stepsPerHour) - FINE_HOURS);
    const history = [
      ...hours.slice(Math.max(0, fineHour - HOUR_COUNT_MAX), fineHour),
      ...points.slice(fineHour * stepsPerHour, step + 1),
    ];
    const found = forecastFull({ points: history, capacity: 1, nowMs: (step + 1) * stepMs });
    forecastCount += 1;
    const trueMs = fullStep === null ? Number.POSITIVE_INFINITY : (fullStep - step) * stepMs;
    if (found.kind === "filling" && fullStep !== null && lastChangeStep <= step) {
      intervalCount += 1;
      if (found.fullInMs.low <= trueMs && trueMs <= found.fullInMs.high) coveredCount += 1;
    }
    if (!isAlarm(found)) continue;
    if (trueMs > DAY_MS && !isRelieved(vault, step)) {
      // Alarms that stop and return within a day count once.
      if (step - alarmStep > stepsPerDay) falseAlarmCount += 1;
      alarmStep = step;
    }
    if (trueMs >= AHEAD_MS_MIN && trueMs <= DAY_MS) isFound = true;
  }
  const isFull =
    fullStep !== null && vault.isFilledByGrowth && fullStep - growthStep >= GROWTH_HOURS_MIN * stepsPerHour;
  return {
    vaultMonths: (levels.length * stepMs) / (MONTH_DAYS * DAY_MS),
    forecastCount,
    intervalCount,
    coveredCount,
    falseAlarmCount,
    fullCount: Number(isFull),
    foundCount: Number(isFull && isFound),
  };
}

function hoursOf(levels: Float64Array): HistoryPoint[] {
  return Array.from({ length: Math.floor(levels.length / stepsPerHour) }, (_, hour) => {
    const own = levels.subarray(hour * stepsPerHour, (hour + 1) * stepsPerHour);
    return { atMs: (hour + 1) * HOUR_MS, value: Math.min(...own), peak: Math.max(...own) };
  });
}

function isAlarm(forecast: Forecast): boolean {
  const likelyMs = likelyFullInMs(forecast);
  return likelyMs !== null && likelyMs < DAY_MS;
}

/** Objects were deleted, as an alarm requests, or the simulation ends within the day. */
const isRelieved = ({ deleteSteps, levels, fullStep }: SimulatedVault, step: number): boolean =>
  deleteSteps.some((at) => at > step && at <= step + stepsPerDay) ||
  (fullStep === null && step + stepsPerDay > levels.length);
