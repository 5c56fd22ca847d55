/** Simulated histories of a vault's level, in shares of its capacity, for back-tests of the forecast. */
import { createUniform, randomNormal, type Uniform } from "../../random.ts";
import { drawHabits, type Habits, type VaultUse } from "./habits.ts";
import { stepsPerDay } from "./steps.ts";

export interface SimulatedVault {
  readonly use: VaultUse;
  /** Level i is at the end of step i; at the last step the vault is full, or the simulation ends. */
  readonly levels: Float64Array;
  /**
   * First step at which the vault is full even without the objects that a benchmark will delete; null if it never is.
   */
  readonly fullStep: number | null;
  /** Last step at which a growth began or changed. */
  readonly growthStep: number;
  readonly deleteSteps: readonly number[];
  /** Last step with an unpredictable event. */
  readonly lastChangeStep: number;
  /** True if growth made at least half of the rise of the last day; otherwise bursts did, which cannot be predicted. */
  readonly isFilledByGrowth: boolean;
}

/** Rise or fall that takes several steps. */
interface Ramp {
  readonly perStep: number;
  left: number;
}

/** Returns the same vault for the same seed. */
export function simulateVault(seed: number, dayCount: number): SimulatedVault {
  const uniform = createUniform(seed);
  const habits = drawHabits(uniform, dayCount);
  const levels: number[] = [];
  const deleteSteps: number[] = [];
  const [grown, stayed]: [number[], number[]] = [[], []];
  const ramps: Ramp[] = [];
  let [kept, growthStep, lastChangeStep] = [habits.start, 0, 0];
  let fullStep: number | null = null;
  for (let step = 0; step < dayCount * stepsPerDay && fullStep === null; step += 1) {
    const busy = busyness(habits, step);
    const growth = stepGrowth(habits, step, busy, uniform);
    kept += growth;
    grown.push((grown.at(-1) ?? 0) + growth);
    if (growthChanges(habits, step)) growthStep = lastChangeStep = step;
    const events = drawEvents(habits, step, kept, uniform);
    ramps.push(...events.ramps);
    kept -= events.lost;
    if (events.isDelete) deleteSteps.push(step);
    if (events.isDelete || events.lost > 0) lastChangeStep = step;
    for (const ramp of ramps) {
      if (ramp.left <= 0) continue;
      kept = Math.max(0, kept + ramp.perStep);
      ramp.left -= 1;
    }
    const stays = kept + (habits.scratchShare * busy) / 2;
    levels.push(Math.max(0, stays + passing(habits, step, uniform)));
    stayed.push(stays);
    if (stays >= 1) fullStep = step;
  }
  return {
    use: habits.use,
    levels: Float64Array.from(levels),
    fullStep,
    growthStep,
    deleteSteps,
    lastChangeStep,
    isFilledByGrowth: 2 * riseOfLastDay(grown) >= riseOfLastDay(stayed),
  };
}

const riseOfLastDay = (values: readonly number[]): number =>
  (values.at(-1) ?? 0) - (values.at(-1 - stepsPerDay) ?? values[0] ?? 0);

function busyness({ cycle, peakHour }: Habits, step: number): number {
  const hour = (24 * (step % stepsPerDay)) / stepsPerDay;
  return 1 + cycle * Math.cos((2 * Math.PI * (hour - peakHour)) / 24);
}

function stepGrowth(habits: Habits, step: number, busy: number, uniform: Uniform): number {
  const isWeekend = Math.floor(step / stepsPerDay) % 7 >= 5;
  const pace = busy * (isWeekend ? habits.weekend : 1);
  const turned = step >= habits.turnStep ? habits.turnTimes : 1;
  const noise = Math.max(0, 1 + 0.5 * randomNormal(() => Math.floor(uniform() * 2 ** 32)));
  const imported = step >= habits.importStep ? habits.importPerDay : 0;
  return (habits.growthPerDay * turned * pace * noise + imported) / stepsPerDay;
}

const growthChanges = ({ growthPerDay, turnStep, importStep }: Habits, step: number): boolean =>
  step === importStep || (step === turnStep && growthPerDay > 0);

interface Events {
  readonly ramps: readonly Ramp[];
  /** Share that is lost with a replaced drive, until a rebuild restores it. */
  readonly lost: number;
  readonly isDelete: boolean;
}

function drawEvents(habits: Habits, step: number, kept: number, uniform: Uniform): Events {
  const ramps: Ramp[] = [];
  const happens = (perDay: number): boolean => uniform() < perDay / stepsPerDay;
  const ramp = (by: number, stepsMin: number, stepsMax: number): void => {
    const left = Math.round(stepsMin + (stepsMax - stepsMin) * uniform());
    ramps.push({ perStep: by / left, left });
  };
  if (happens(habits.burstsPerDay)) ramp(Math.min(0.04, -0.006 * Math.log(1 - uniform())), 3, 24);
  const isDelete = happens(habits.deletesPerDay);
  if (isDelete) ramp(-kept * (0.05 + 0.45 * uniform()), 1, 9);
  const isRebuild = happens(habits.rebuildsPerDay);
  const lost = isRebuild ? kept * (0.03 + 0.07 * uniform()) : 0;
  if (isRebuild) ramp(lost, 6, 48);
  // A rotation deletes yesterday's backup when today's is done.
  const isRotation = habits.use === "rotating" && step % stepsPerDay === stepsPerDay - 1;
  if (isRotation) ramp(-0.97 * habits.growthPerDay, 1, 6);
  return { ramps, lost, isDelete };
}

/** Bytes that are stored only for minutes: a benchmark's objects, or backups of the demo. */
function passing(habits: Habits, step: number, uniform: Uniform): number {
  const { use, benchmarkEverySteps, benchmarkSteps, benchmarkShare } = habits;
  const demo = use === "demo" ? 0.03 + 0.13 * uniform() : 0;
  if (benchmarkEverySteps === 0) return demo;
  const isRunning = step % benchmarkEverySteps < Math.min(benchmarkSteps, benchmarkEverySteps - 1);
  return demo + (isRunning ? benchmarkShare * (0.8 + 0.2 * uniform()) : 0);
}
