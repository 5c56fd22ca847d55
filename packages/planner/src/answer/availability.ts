/**
 * Computes for how long in a year a vault accepts no uploads, by its layout.
 *
 * An upload needs all pods but one, and a coordinator. So uploads stop while a machine with two pods or more is away, while
 * two machines with a pod each are, and while all coordinators are. With
 *
 *     u = f * r / (1 + f * r)      share of time that a machine is away: f failures a year, each repaired after r
 *     W, N, C                      machines with several pods, with one pod, and coordinators, on machines of their own
 *
 * failures alone stop uploads for the share
 *
 *     1 - (1 - u)^W * ((1 - u)^N + N * u * (1 - u)^(N - 1)) * (1 - u^C)
 *
 * Planned restarts go from machine to machine and begin only while no other is away (`vault restart --rolling`). One of a
 * machine with several pods, or of the only coordinator, stops uploads for as long as it lasts; any other only while a
 * further machine fails meanwhile: t after its beginning another machine is away with p(t) = 1 - exp(-f * min(t, r)).
 * Machines fail independently of each other, which a switch, a feed or a bad update does not promise.
 */
import { YEAR_SECONDS } from "@stashlight/contracts/time";
import { counted, formatPlanSeconds } from "../format-figures.ts";
import type { StashPlanInput } from "../sizing/plan-types.ts";

export interface MachineOutages {
  readonly restartsPerYear: number;
  readonly restartSeconds: number;
  readonly failuresPerYear: number;
  readonly repairSeconds: number;
}

export interface VaultMachines {
  /** Number of pods on each machine that has any. */
  readonly podsByMachine: readonly number[];
  readonly coordinators: number;
}

export interface UploadStop {
  /** Seconds a year for planned restarts. */
  readonly plannedSeconds: number;
  /** Seconds a year for failures. */
  readonly failureSeconds: number;
  readonly stoppedSeconds: number;
}

/** Returns the seconds of a year in which no upload is accepted. */
export function uploadStop(machines: VaultMachines, outages: MachineOutages): UploadStop {
  const { podsByMachine, coordinators } = machines;
  const several = podsByMachine.filter((pods) => pods > 1).length;
  const single = podsByMachine.length - several;
  const { restartsPerYear, restartSeconds, failuresPerYear, repairSeconds } = outages;
  const away = awayShare(outages);
  const failureSeconds = YEAR_SECONDS * stoppedShare({ several, single, coordinators }, away);
  /** Probability that a given other machine is away at this time of a restart. */
  const failedBy = (seconds: number): number =>
    -Math.expm1((-failuresPerYear * Math.min(seconds, repairSeconds)) / YEAR_SECONDS);
  const anyOther = integral(
    (seconds) => 1 - (1 - failedBy(seconds)) ** (single + several - 1),
    restartSeconds,
  );
  const allOthers = integral((seconds) => failedBy(seconds) ** (coordinators - 1), restartSeconds);
  const plannedSeconds = Math.min(
    YEAR_SECONDS,
    restartsPerYear * (several * restartSeconds + single * anyOther + coordinators * allOthers),
  );
  const stoppedSeconds = Math.min(YEAR_SECONDS, plannedSeconds + failureSeconds);
  return { plannedSeconds, failureSeconds, stoppedSeconds };
}

function awayShare({ failuresPerYear, repairSeconds }: MachineOutages): number {
  const load = (failuresPerYear * repairSeconds) / YEAR_SECONDS;
  return load / (1 + load);
}

interface MachineCounts {
  readonly several: number;
  readonly single: number;
  readonly coordinators: number;
}

function stoppedShare({ several, single, coordinators }: MachineCounts, away: number): number {
  const here = 1 - away;
  const oneAtMost = here ** single + (single === 0 ? 0 : single * away * here ** (single - 1));
  return Math.max(0, 1 - here ** several * oneAtMost * (1 - away ** coordinators));
}

const INTERVALS = 200;

/** From 0 to `end`, by Simpson's rule. */
function integral(value: (seconds: number) => number, end: number): number {
  const step = end / INTERVALS;
  const weight = (at: number): number => (at === 0 || at === INTERVALS ? 1 : at % 2 === 0 ? 2 : 4);
  const sum = Array.from({ length: INTERVALS + 1 }, (_, at) => weight(at) * value(at * step));
  return (sum.reduce((total, part) => total + part, 0) * step) / 3;
}

export interface LayoutAvailability extends UploadStop {
  readonly podsOnEach: number;
  readonly machines: number;
  readonly isPlanned: boolean;
}

export interface UploadAvailability {
  /** One entry per number of pods per machine, including the plan's own layout. */
  readonly layouts: readonly LayoutAvailability[];
  readonly planned: LayoutAvailability;
  readonly sentence: string;
}

const COMPARED_PODS = [1, 2, 4];

/** `coordinators`: those of the plan, or as many as its peak needs. */
export function answerAvailability(input: StashPlanInput, coordinators: number): UploadAvailability {
  const pods = input.dataShards + input.parityShards;
  const own = Math.min(input.podsPerMachine, pods);
  const compared = [...new Set([...COMPARED_PODS.filter((each) => each <= pods), own])].sort((a, b) => a - b);
  const layouts = compared.map((podsOnEach): LayoutAvailability => {
    const podsByMachine = spreadPods(pods, podsOnEach);
    const stop = uploadStop(
      { podsByMachine, coordinators },
      {
        restartsPerYear: input.restartsPerYear,
        restartSeconds: input.restartSeconds,
        failuresPerYear: input.machineFailuresPerYear,
        repairSeconds: input.machineRepairSeconds,
      },
    );
    return { ...stop, podsOnEach, machines: podsByMachine.length, isPlanned: podsOnEach === own };
  });
  const planned = layouts.find(({ isPlanned }) => isPlanned) as LayoutAvailability;
  return { layouts, planned, sentence: describeStop(layouts, planned, coordinators) };
}

/** Full machines, and one machine with the remaining pods. */
export function spreadPods(pods: number, podsPerMachine: number): number[] {
  const full = Math.floor(pods / podsPerMachine);
  const rest = pods - full * podsPerMachine;
  return [...new Array<number>(full).fill(podsPerMachine), ...(rest === 0 ? [] : [rest])];
}

function describeStop(
  layouts: readonly LayoutAvailability[],
  planned: LayoutAvailability,
  coordinators: number,
): string {
  const { podsOnEach, machines, stoppedSeconds, plannedSeconds, failureSeconds } = planned;
  const layout = `With ${counted(podsOnEach, "pod")} per machine (${counted(machines, "machine")}) and ${counted(coordinators, "coordinator")}`;
  const stops = `${layout}, uploads stop for ${formatStop(stoppedSeconds)} a year: ${formatStop(plannedSeconds)} for planned restarts and ${formatStop(failureSeconds)} for failures.`;
  const alone =
    coordinators === 1
      ? " Whenever the only coordinator is away, clients cannot reach the vault; two or more avoid that."
      : "";
  if (podsOnEach === 1) return `${stops} One machine may be away without stopping them.${alone}`;
  const single = layouts.find((each) => each.podsOnEach === 1);
  const better =
    single === undefined ? "" : ` With one pod per machine it would be ${formatStop(single.stoppedSeconds)}.`;
  return `${stops} An upload needs all pods but one, so any machine with several stops them while it is away.${better} A second vault behind the endpoint takes new keys meanwhile.${alone}`;
}

/** Less than a second is not worth planning for. */
export const formatStop = (seconds: number): string =>
  seconds < 1 ? "less than 1 s" : formatPlanSeconds(seconds);
