/** Two plans side by side: what was asked otherwise, and what follows. */
import {
  figureInWords,
  type StashAnswer,
  type StashPlanInput,
  secondsInWords,
  usdInWords,
} from "@stashlight/planner";
import { inputRows } from "./input-rows.ts";

export interface ComparedRow {
  readonly name: string;
  readonly own: string;
  readonly other: string;
  readonly isDifferent: boolean;
}

export interface PlanAndAnswer {
  readonly input: StashPlanInput;
  readonly answer: StashAnswer;
}

const row = (name: string, own: string, other: string): ComparedRow => ({
  name,
  own,
  other,
  isDifferent: own !== other,
});

/** Only what differs: forty fields that are alike say nothing. */
export function comparedInputs(own: StashPlanInput, other: StashPlanInput): ComparedRow[] {
  const others = inputRows(other);
  return inputRows(own)
    .map(({ label, value }, i) => row(label, value, others[i]?.value ?? ""))
    .filter(({ isDifferent }) => isDifferent);
}

const answers: readonly (readonly [name: string, say: (answer: StashAnswer) => string])[] = [
  ["Drives", ({ plan }) => figureInWords(plan.drives)],
  ["Servers", ({ plan }) => figureInWords(plan.servers)],
  ["Decided by", ({ plan }) => plan.decidedBy],
  ["Drives for the load", ({ plan }) => figureInWords(plan.drivesForLoad)],
  ["Binding constraint", ({ plan }) => plan.bindingConstraint],
  ["Drive writes a day", ({ plan }) => figureInWords(plan.driveWritesPerDay)],
  ["Longest outage", ({ notSurvived }) => secondsInWords(notSurvived.outageSecondsMax)],
  [
    "Outgrown",
    ({ growth }) =>
      growth.outgrownAtMonth === null ? "not within ten years" : `month ${growth.outgrownAtMonth}`,
  ],
  [
    "Installed pool",
    ({ headroom }) =>
      headroom === null
        ? "none"
        : `${headroom.suffices ? "suffices" : "does not suffice"}, ${figureInWords(headroom.times)} times today's load`,
  ],
  ["Cost of the stash", ({ cost }) => usdInWords(cost.totalUsd)],
  ["Per TB landed", ({ cost }) => usdInWords(cost.usdPerTbLanded)],
];

export const comparedAnswers = (own: StashAnswer, other: StashAnswer): ComparedRow[] =>
  answers.map(([name, say]) => row(name, say(own), say(other)));
