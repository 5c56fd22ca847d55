/**
 * Fleets with labelled fail-slow drives, to count what the rules find and what they wrongly call slow. Rates are those
 * of PERSEUS (FAST 2023): 315 of 41,315 drives of its data set, 304 of 248,000 drives in ten months. At these rates a
 * fleet of a few hundred drives would have only one or two, so `slowShare` may be higher; false alarms are counted on
 * the other drives.
 */
import { createUniform, type Uniform } from "../../random.ts";
import type { DriveWindow, PeerDrive } from "../peer-fit.ts";

export interface FleetOptions {
  readonly seed: number;
  readonly nodeCount: number;
  readonly drivesPerNode: number;
  readonly days: number;
  readonly windowSeconds: number;
  readonly slowShare: number;
}

export interface LabelledDrive extends PeerDrive {
  /** Null for a healthy drive. */
  readonly fault: DriveFault | null;
}

export interface DriveFault {
  /** Factor by which latency is higher, 1.6 to 10. */
  readonly factor: number;
  readonly startsAtWindow: number;
  /** Share of the hours in which the drive is slow; 1 if it is always slow. */
  readonly dutyShare: number;
}

/** Simulates drives in nodes; the drives of a node are each other's peers. */
export function simulateFleet(options: FleetOptions): LabelledDrive[][] {
  const uniform = createUniform(options.seed);
  return Array.from({ length: options.nodeCount }, (_, node) => simulateNode(options, node, uniform));
}

const BASE_SECONDS = 0.008;
const PEAK_BYTES_PER_SECOND = 150e6;

function simulateNode(options: FleetOptions, node: number, uniform: Uniform): LabelledDrive[] {
  const { days, windowSeconds, drivesPerNode } = options;
  const windowCount = Math.floor((days * 86_400) / windowSeconds);
  const load = nodeLoad(windowCount, windowSeconds, uniform);
  const stalls = stallsOf(windowCount, windowSeconds, { perMonth: 4, hoursMax: 3, factorMax: 3 }, uniform);
  const hasTwoModels = uniform() < 0.3;
  return Array.from({ length: drivesPerNode }, (_, place) => {
    const bias = Math.exp(0.06 * normal(uniform)) * (hasTwoModels && place % 2 === 1 ? 1.2 : 1);
    const fault = uniform() < options.slowShare ? drawFault(windowCount, uniform) : null;
    const own = {
      bias,
      fault,
      hot: hotSpell(windowCount, windowSeconds, uniform),
      share: Math.exp(0.15 * normal(uniform)),
    };
    // Garbage collection, a scrub, a neighbour's rebuild: short, and transient.
    const pauses = stallsOf(
      windowCount,
      windowSeconds,
      { perMonth: 12, hoursMax: 0.7, factorMax: 4 },
      uniform,
    );
    const factors = faultFactors(fault, windowCount, windowSeconds, uniform);
    const windows = Array.from({ length: windowCount }, (_, at): DriveWindow | null => {
      if (uniform() < 0.004) return null;
      return window(
        {
          own,
          load: load[at] as number,
          extra: (stalls[at] as number) * (pauses[at] as number) * (factors[at] as number),
          at,
        },
        uniform,
      );
    });
    return { id: `n${node}d${place}`, windows, fault };
  });
}

interface Own {
  readonly bias: number;
  readonly hot: (at: number) => number;
  readonly share: number;
}

/** Latency rises with utilisation as in a queue, and each window varies. */
function window(
  {
    own,
    load,
    extra,
    at,
  }: { readonly own: Own; readonly load: number; readonly extra: number; readonly at: number },
  uniform: Uniform,
): DriveWindow {
  const utilisation = Math.min(0.9, load * own.share * own.hot(at) * Math.exp(0.1 * normal(uniform)));
  const waiting = utilisation / (1 - utilisation);
  const latencySeconds =
    BASE_SECONDS * own.bias * (1 + 0.8 * waiting) * extra * Math.exp(0.12 * normal(uniform));
  const queue = Math.max(0, waiting * extra * Math.exp(0.2 * normal(uniform)));
  return { latencySeconds, bytesPerSecond: utilisation * PEAK_BYTES_PER_SECOND, queue };
}

/** Load by day and night, with bursts of an hour or two. */
function nodeLoad(windowCount: number, windowSeconds: number, uniform: Uniform): number[] {
  const bursts = stallsOf(windowCount, windowSeconds, { perMonth: 20, hoursMax: 2, factorMax: 2 }, uniform);
  const phase = uniform();
  return Array.from({ length: windowCount }, (_, at) => {
    const day = (at * windowSeconds) / 86_400;
    return 0.3 * (1 + 0.6 * Math.sin(2 * Math.PI * (day + phase))) * (bursts[at] as number);
  });
}

/** A drive with a popular bucket has twice the load for a day. */
function hotSpell(windowCount: number, windowSeconds: number, uniform: Uniform): (at: number) => number {
  const from = Math.floor(uniform() * windowCount);
  const length = (86_400 * uniform()) / windowSeconds;
  const factor = 1 + uniform();
  return (at) => (at >= from && at < from + length ? factor : 1);
}

interface Stalls {
  readonly perMonth: number;
  readonly hoursMax: number;
  readonly factorMax: number;
}

function stallsOf(
  windowCount: number,
  windowSeconds: number,
  { perMonth, hoursMax, factorMax }: Stalls,
  uniform: Uniform,
): Float64Array {
  const factors = new Float64Array(windowCount).fill(1);
  const count = Math.round((perMonth * windowCount * windowSeconds) / (30 * 86_400));
  for (let stall = 0; stall < count; stall += 1) {
    const from = Math.floor(uniform() * windowCount);
    const length = Math.ceil((uniform() * hoursMax * 3600) / windowSeconds);
    const factor = 1 + uniform() * (factorMax - 1);
    for (let at = from; at < Math.min(windowCount, from + length); at += 1)
      factors[at] = Math.max(factor, factors[at] as number);
  }
  return factors;
}

function drawFault(windowCount: number, uniform: Uniform): DriveFault {
  return {
    factor: 1.6 * (10 / 1.6) ** uniform(),
    startsAtWindow: Math.floor(windowCount * (0.25 + 0.5 * uniform())),
    dutyShare: uniform() < 0.5 ? 1 : 0.3 + 0.6 * uniform(),
  };
}

/** Alternates slow and normal hours in the proportion of the fault. */
function faultFactors(
  fault: DriveFault | null,
  windowCount: number,
  windowSeconds: number,
  uniform: Uniform,
): Float64Array {
  const factors = new Float64Array(windowCount).fill(1);
  if (fault === null) return factors;
  let isSlow = true;
  let until = fault.startsAtWindow;
  for (let at = fault.startsAtWindow; at < windowCount; at += 1) {
    if (at >= until) {
      isSlow = uniform() < fault.dutyShare;
      until = at + Math.ceil(((1 + 5 * uniform()) * 3600) / windowSeconds);
    }
    if (isSlow) factors[at] = fault.factor;
  }
  return factors;
}

const normal = (uniform: Uniform): number =>
  Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
