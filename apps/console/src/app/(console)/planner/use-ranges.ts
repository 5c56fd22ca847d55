"use client";
import type { LiveInputs } from "@stashlight/contracts/planner";
import { AROUND_SHARE_MAX, type PlanVariable, type UncertainRange } from "@stashlight/planner";
import { useMemo, useState } from "react";
import {
  type CheckedRows,
  checkRows,
  prepareRangeRows,
  type RangeDraft,
  type RangeDrafts,
  type RangeRow,
  rangesToSave,
  toDrafts,
} from "./ranges.ts";
import type { PlanState } from "./use-plan.ts";

/** Ranges as a plan stores them. */
export interface SavedRanges {
  readonly ranges: readonly unknown[];
  readonly aroundShare: number;
}

export interface RangesState extends Pick<CheckedRows, "problemOf"> {
  readonly rows: readonly RangeRow[];
  /** Null while one of them is invalid. */
  readonly ranges: readonly UncertainRange[] | null;
  readonly percentText: string;
  readonly isPercent: boolean;
  readonly setPercent: (text: string) => void;
  readonly change: (row: RangeRow, part: Partial<RangeDraft>) => void;
  /** Resets the row to its default range. */
  readonly reset: (variable: PlanVariable) => void;
  /** Null while an input is invalid. */
  readonly toSave: { readonly ranges: readonly UncertainRange[]; readonly aroundShare: number } | null;
}

const PERCENT_MAX = AROUND_SHARE_MAX * 100;

export function useRanges(saved: SavedRanges, plan: PlanState, live: LiveInputs | undefined): RangesState {
  const [given, setGiven] = useState<RangeDrafts>(() => toDrafts(saved.ranges));
  const [percentText, setPercentText] = useState(() =>
    String(Number((saved.aroundShare * 100).toPrecision(3))),
  );
  const percent = Number(percentText);
  const isPercent = percentText.trim() !== "" && percent >= 0 && percent <= PERCENT_MAX;
  const [share, setShare] = useState(saved.aroundShare);
  if (isPercent && percent / 100 !== share) setShare(percent / 100);
  const { input, answer, fromFleet } = plan;
  const { sensitivities } = answer;
  const rows = useMemo(
    () => prepareRangeRows({ input, sensitivities, share, live, fromFleet, given }),
    [input, sensitivities, share, live, fromFleet, given],
  );
  const checked = useMemo(() => checkRows(rows), [rows]);
  return {
    rows,
    ...checked,
    percentText,
    isPercent,
    setPercent: setPercentText,
    change: ({ variable, draft }, part) => setGiven({ ...given, [variable]: { ...draft, ...part } }),
    reset: (variable) => {
      const { [variable]: _gone, ...others } = given;
      setGiven(others);
    },
    toSave: checked.ranges === null || !isPercent ? null : { ranges: rangesToSave(rows), aroundShare: share },
  };
}
