/** Compares two plans: differing inputs and their results. */
import {
  describeOutgrown,
  formatFigure,
  formatPlanSeconds,
  formatTimes,
  formatUsd,
  type PlanVariable,
  type StashAnswer,
  type StashPlanInput,
  type UncertainRange,
} from "@stashlight/planner";
import { variableLabel } from "./answer-charts.ts";
import { inputRows } from "./input-rows.ts";
import { NOT_JUDGED } from "./load-source.ts";
import { formatRange } from "./ranges.ts";

export interface ComparedRow {
  readonly name: string;
  readonly own: string;
  readonly other: string;
  readonly isDifferent: boolean;
}

const row = (name: string, own: string, other: string): ComparedRow => ({
  name,
  own,
  other,
  isDifferent: own !== other,
});

export interface AskedPlan {
  readonly input: StashPlanInput;
  /** Ranges given by the user. */
  readonly ranges: readonly UncertainRange[];
}

/** Lists only the differing inputs among some forty. */
export function comparedInputs(own: AskedPlan, other: AskedPlan): ComparedRow[] {
  const others = inputRows(other.input);
  const inputs = inputRows(own.input).map(({ label, value }, i) => row(label, value, others[i]?.value ?? ""));
  return [...inputs, ...comparedRanges(own.ranges, other.ranges)].filter(({ isDifferent }) => isDifferent);
}

function comparedRanges(own: AskedPlan["ranges"], other: AskedPlan["ranges"]): ComparedRow[] {
  const formatValue = (ranges: AskedPlan["ranges"], variable: PlanVariable): string => {
    const range = ranges.find((each) => each.variable === variable);
    return range === undefined ? "–" : formatRange(range);
  };
  return [...new Set([...own, ...other].map(({ variable }) => variable))].map((variable) =>
    row(`Range of ${variableLabel(variable)}`, formatValue(own, variable), formatValue(other, variable)),
  );
}

export interface ComparedAnswer {
  readonly answer: StashAnswer;
  /** Reason that its load is too short to judge pools; null if they are judged. */
  readonly unjudged: string | null;
}

type Say = (answer: StashAnswer, unjudged: string | null) => string;

const answers: readonly (readonly [name: string, say: Say])[] = [
  ["Drives", ({ plan }) => formatFigure(plan.drives)],
  ["Servers", ({ plan }) => formatFigure(plan.servers)],
  ["Decided by", ({ plan }) => plan.decidedBy],
  ["Drives for the load", ({ plan }) => formatFigure(plan.drivesForLoad)],
  ["Binding constraint", ({ plan }) => plan.bindingConstraint],
  ["Drive writes per day", ({ plan }) => formatFigure(plan.driveWritesPerDay)],
  ["Longest outage", ({ planned }) => formatPlanSeconds(planned.outageSecondsMax ?? 0)],
  [
    "Outgrown",
    ({ input, planned }, unjudged) =>
      unjudged === null ? describeOutgrown(input, planned.outgrownAtMonth) : NOT_JUDGED,
  ],
  [
    "Installed pool",
    ({ installed }, unjudged) => {
      if (installed === null) return "none";
      const verdict = installed.suffices ? "suffices" : "does not suffice";
      return `${unjudged === null ? verdict : NOT_JUDGED}, ${formatTimes(installed.times)} today's load`;
    },
  ],
  ["Cost of the stash", ({ planned }) => formatUsd(planned.cost.totalUsd)],
  ["Per TB landed", ({ planned }) => formatUsd(planned.cost.usdPerTbLanded)],
];

export const comparedAnswers = (own: ComparedAnswer, other: ComparedAnswer): ComparedRow[] =>
  answers.map(([name, say]) => row(name, say(own.answer, own.unjudged), say(other.answer, other.unjudged)));
