"use client";
import type { LiveInputs } from "@stashlight/contracts";
import {
  checkRanges,
  constraintNames,
  DRAWS_DEFAULT,
  figureInWords,
  type StashAnswer,
  type StashPlanInput,
  shareInWords,
} from "@stashlight/planner";
import { Callout } from "@stashlight/ui/feedback";
import { FigurePanel } from "@stashlight/ui/figure";
import { Field, TextInput } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { useMemo, useState } from "react";
import { fieldOf } from "./draft.ts";
import { FigureTable } from "./figure-table.tsx";
import { doubtFigure, labelOf } from "./figures.ts";
import { type OwnedRange, rangesOf } from "./ranges.ts";
import { useDoubt } from "./use-doubt.ts";

interface DoubtPanelProps {
  readonly input: StashPlanInput;
  readonly answer: StashAnswer;
  readonly live: LiveInputs | undefined;
  readonly fromFleet: ReadonlySet<string>;
}

/** What the answer would be if the inputs were otherwise, within what the fleet showed or a share around them. */
export function DoubtPanel({ input, answer, live, fromFleet }: DoubtPanelProps) {
  const { sensitivities } = answer;
  const [percentText, setPercentText] = useState("20");
  const percent = Number(percentText);
  const isPercent = percentText.trim() !== "" && percent >= 0 && percent <= 90;
  const [percentGood, setPercentGood] = useState(20);
  if (isPercent && percent !== percentGood) setPercentGood(percent);
  const owned = useMemo(
    () => rangesOf({ input, sensitivities, share: percentGood / 100, live, fromFleet }),
    [input, sensitivities, percentGood, live, fromFleet],
  );
  const ranges = useMemo(() => checkRanges(owned.map(({ range }) => range)).ranges, [owned]);
  const doubt = useDoubt(input, ranges);
  const shown = doubt.answer?.answer ?? null;
  const figure = useMemo(() => (shown === null ? null : doubtFigure(shown)), [shown]);
  return (
    <Section
      title="How sure is it?"
      description={`${figureInWords(DRAWS_DEFAULT)} plans with inputs drawn from their ranges, each alike and independent of the others.`}
    >
      {doubt.hasFailed && (
        <Callout status="warning" title="The draws could not be made">
          The browser did not start the worker that makes them; reload the page to try again.
        </Callout>
      )}
      {shown !== null && <p aria-live="polite">{shown.sentence}</p>}
      <div className="grid gap-4 xl:grid-cols-2">
        <FigurePanel
          title="How many servers?"
          metric="share of draws that need so many"
          figure={figure}
          source={
            shown === null
              ? undefined
              : constraintNames
                  .filter((name) => shown.bindingShares[name] > 0)
                  .map((name) => `${name} binds in ${shareInWords(shown.bindingShares[name])}`)
                  .join(" · ")
          }
          exportName="servers"
          heightPx={280}
        />
        <div className="flex flex-col gap-3">
          <div className="max-w-64 print:hidden">
            <Field
              label="Around inputs without a range of the fleet, %"
              error={isPercent ? undefined : "Write 0 to 90 %."}
            >
              <TextInput
                inputMode="decimal"
                value={percentText}
                onChange={(event) => setPercentText(event.target.value)}
              />
            </Field>
          </div>
          <RangeTable ranges={owned} />
        </div>
      </div>
    </Section>
  );
}

function RangeTable({ ranges }: { ranges: readonly OwnedRange[] }) {
  return (
    <FigureTable
      label="Ranges"
      columns={["Input", "From", "To", "Of"]}
      rows={ranges.map(({ range, source }) => {
        const field = fieldOf(range.variable);
        const say = (value: number) =>
          `${figureInWords(value / (field?.factor ?? 1))} ${field?.unit ?? ""}`.trim();
        return { name: labelOf(range.variable), cells: [say(range.low), say(range.high), source] };
      })}
    />
  );
}
