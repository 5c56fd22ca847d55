"use client";
import { formatCount, UiLink } from "@stashlight/ui";
import { chooseUnit, formatWith } from "@stashlight/ui/chart";
import { Time } from "@stashlight/ui/data";
import { machineStateSelections, readMachineState } from "../../../client/metrics/machines.ts";
import { useMetrics } from "../../../client/metrics/use-metrics.ts";
import { describeHostThen, describeMachineStall, type MachineStall } from "./machine-stalls.ts";
import { stallHref } from "./stalls.ts";

const ms = chooseUnit("seconds", 0.01);

interface MachineLinesProps {
  readonly machines: readonly MachineStall[];
  /** "SSD". */
  readonly medium: string;
}

/** One line per machine whose drives slowed down together; the rows of its drives are folded below it. */
export function MachineLines({ machines, medium }: MachineLinesProps) {
  if (machines.length === 0) return null;
  return (
    <ul aria-label={`Machines whose ${medium}s slowed at once`} className="mb-3 grid gap-2">
      {machines.map((stall) => (
        <MachineLine key={stall.machine} stall={stall} medium={medium} />
      ))}
    </ul>
  );
}

function MachineLine({ stall, medium }: { stall: MachineStall; medium: string }) {
  const { machine, worst, stalls } = stall;
  const { answers } = useMetrics(machineStateSelections(machine));
  return (
    <li className="rounded-md border border-line bg-surface px-3 py-2">
      <p className="text-pretty text-ink">{describeMachineStall(stall, medium)}</p>
      <p className="min-h-5 text-sm text-pretty text-muted tabular-nums">
        <Time value={worst.endMs} />
        {" · "}
        {answers !== undefined && describeHostThen(readMachineState(answers, worst.endMs))}
      </p>
      <details className="mt-1 text-sm">
        <summary className="w-fit text-accent-ink">
          {formatCount(stalls.length)} {stalls.length === 1 ? "row" : "rows"} of single drives
        </summary>
        <ul className="mt-1 max-h-64 overflow-y-auto">
          {stalls.map((each) => (
            <li key={`${each.node} ${each.device} ${each.endMs}`} className="flex gap-3 tabular-nums">
              <UiLink href={stallHref(each)} className="min-w-0 flex-1 truncate font-mono">
                {each.device} <span className="text-faint">{each.node}</span>
              </UiLink>
              <span>{formatWith(ms, each.maxSeconds)}</span>
              <Time value={each.endMs} />
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}
