/**
 * Separates stalls of a machine from those of single drives. When at least half of a machine's drives slow down at
 * once, no single drive is the cause, and one line replaces their rows.
 */
import type { Stall } from "@stashlight/contracts/metrics/query";
import { formatCount } from "@stashlight/ui";
import { chooseUnit, formatWith } from "@stashlight/ui/chart";
import { describeMachineState, type MachineState } from "../../../client/metrics/machines.ts";

/** Fewer drives may be slow at once by coincidence. */
const DRIVE_COUNT_MIN = 3;
const DRIVE_SHARE_MIN = 0.5;

export interface MachineStall {
  readonly machine: string;
  /** Drives that stalled in the worst window, of all the machine's drives of this kind. */
  readonly stalledCount: number;
  readonly driveCount: number;
  readonly worst: Pick<Stall, "startMs" | "endMs" | "maxSeconds">;
  /** Windows in which at least half of the drives stalled. */
  readonly windowCount: number;
  /** Stalls whose rows the line replaces, in the given order. */
  readonly stalls: readonly Stall[];
}

export interface FoldedStalls {
  /** At most one line per machine, worst first. */
  readonly machines: readonly MachineStall[];
  /** Stalls of single drives, in the given order. */
  readonly alone: readonly Stall[];
}

/** `machines` maps nodes to machines; `drives` lists the drives of this kind. */
export function foldStalls(
  stalls: readonly Stall[],
  machines: ReadonlyMap<string, string>,
  drives: readonly { readonly node: string; readonly device: string }[],
): FoldedStalls {
  const byMachine = Map.groupBy(stalls, ({ node }) => machines.get(node) ?? null);
  const folded = [...byMachine].flatMap(([machine, own]) => {
    if (machine === null) return [];
    const known = [...drives, ...own].filter(({ node }) => machines.get(node) === machine);
    const found = foldMachine(machine, own, new Set(known.map(driveKey)).size);
    return found === null ? [] : [found];
  });
  const taken = new Set(folded.flatMap((each) => each.stalls));
  return {
    machines: folded.sort((a, b) => b.worst.maxSeconds - a.worst.maxSeconds),
    alone: stalls.filter((stall) => !taken.has(stall)),
  };
}

const driveKey = ({ node, device }: { node: string; device: string }): string => `${node} ${device}`;

function foldMachine(machine: string, own: readonly Stall[], driveCount: number): MachineStall | null {
  const shared = groupByMoment(own).filter((moment) => {
    const count = new Set(moment.map(driveKey)).size;
    return count >= DRIVE_COUNT_MIN && count >= DRIVE_SHARE_MIN * driveCount;
  });
  const worstStall = (moment: readonly Stall[]): Stall | undefined =>
    moment.toSorted((a, b) => b.maxSeconds - a.maxSeconds)[0];
  const [worstMoment] = shared.toSorted(
    (a, b) => (worstStall(b)?.maxSeconds ?? 0) - (worstStall(a)?.maxSeconds ?? 0),
  );
  const worst = worstMoment && worstStall(worstMoment);
  if (worstMoment === undefined || worst === undefined) return null;
  const taken = new Set(shared.flat());
  return {
    machine,
    stalledCount: new Set(worstMoment.map(driveKey)).size,
    driveCount,
    worst,
    windowCount: shared.length,
    stalls: own.filter((stall) => taken.has(stall)),
  };
}

/** Groups stalls whose windows overlap. */
function groupByMoment(stalls: readonly Stall[]): Stall[][] {
  const moments: { endMs: number; stalls: Stall[] }[] = [];
  for (const stall of stalls.toSorted((a, b) => a.endMs - b.endMs || a.startMs - b.startMs)) {
    const last = moments.at(-1);
    if (last !== undefined && stall.startMs < last.endMs) last.stalls.push(stall);
    else moments.push({ endMs: stall.endMs, stalls: [stall] });
  }
  return moments.map((moment) => moment.stalls);
}

const seconds = chooseUnit("seconds", 0.01);

/** "All 41 SSDs of machine db-1 slowed at once, up to 662 ms, and in 3 more windows: look at the host." */
export function describeMachineStall(stall: MachineStall, medium: string): string {
  const { machine, stalledCount, driveCount, worst, windowCount } = stall;
  const drives = stalledCount === driveCount ? `All ${stalledCount}` : `${stalledCount} of ${driveCount}`;
  const more = windowCount - 1;
  const again = more === 0 ? "" : `, and in ${formatCount(more)} more window${more === 1 ? "" : "s"}`;
  const slowest = formatWith(seconds, worst.maxSeconds);
  return `${drives} ${medium}s of machine ${machine} slowed at once, up to ${slowest}${again}: look at the host.`;
}

/** Completes the sentence with the host's state at the worst moment. */
export const describeHostThen = (state: MachineState): string =>
  `Host in that window: ${describeMachineState(state)}.`;
