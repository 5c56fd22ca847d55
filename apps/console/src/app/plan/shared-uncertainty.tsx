"use client";
import type { AskedPlan } from "@stashlight/contracts/planner";
import type { StashAnswer, StashPlanInput } from "@stashlight/planner";
import { useMemo } from "react";
import { checkRows, prepareRangeRows, toDrafts } from "../(console)/planner/ranges.ts";
import { RangeTable, UncertaintySection } from "../(console)/planner/uncertainty-panel.tsx";
import { useUncertainty } from "../(console)/planner/use-uncertainty.ts";

interface SharedUncertaintyProps {
  readonly input: StashPlanInput;
  readonly answer: StashAnswer;
  readonly unjudged: string | null;
  readonly asked: Pick<AskedPlan, "ranges" | "aroundShare">;
}

const noFields: ReadonlySet<string> = new Set();

/** Read-only simulation results of the saved plan. */
export function SharedUncertainty({
  input,
  answer,
  unjudged,
  asked: { ranges: saved, aroundShare },
}: SharedUncertaintyProps) {
  const { sensitivities } = answer;
  const rows = useMemo(
    () =>
      prepareRangeRows({
        input,
        sensitivities,
        share: aroundShare,
        given: toDrafts(saved),
        live: undefined,
        fromFleet: noFields,
      }),
    [input, sensitivities, aroundShare, saved],
  );
  const ranges = useMemo(() => checkRows(rows).ranges, [rows]);
  const uncertainty = useUncertainty(input, ranges);
  return (
    <UncertaintySection {...uncertainty} unjudged={unjudged}>
      <RangeTable rows={rows} />
    </UncertaintySection>
  );
}
