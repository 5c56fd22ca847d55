"use client";
import type { AskedPlan } from "@stashlight/contracts";
import type { StashAnswer, StashPlanInput } from "@stashlight/planner";
import { useMemo } from "react";
import { DoubtSection, RangeTable } from "../(console)/planner/doubt-panel.tsx";
import { checkRows, draftsOf, rangeRowsOf } from "../(console)/planner/ranges.ts";
import { useDoubt } from "../(console)/planner/use-doubt.ts";

interface SharedDoubtProps {
  readonly input: StashPlanInput;
  readonly answer: StashAnswer;
  readonly asked: Pick<AskedPlan, "ranges" | "aroundShare">;
}

const nobody: ReadonlySet<string> = new Set();

/** The draws of the plan as it was saved, to be read. */
export function SharedDoubt({ input, answer, asked: { ranges: saved, aroundShare } }: SharedDoubtProps) {
  const { sensitivities } = answer;
  const rows = useMemo(
    () =>
      rangeRowsOf({
        ...{ input, sensitivities, share: aroundShare, given: draftsOf(saved) },
        ...{ live: undefined, fromFleet: nobody },
      }),
    [input, sensitivities, aroundShare, saved],
  );
  const ranges = useMemo(() => checkRows(rows).ranges, [rows]);
  const doubt = useDoubt(input, ranges);
  return (
    <DoubtSection answer={doubt.answer?.answer ?? null} hasFailed={doubt.hasFailed}>
      <RangeTable rows={rows} />
    </DoubtSection>
  );
}
