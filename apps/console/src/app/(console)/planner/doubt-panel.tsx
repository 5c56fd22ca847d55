"use client";
import {
  constraintNames,
  DRAWS_DEFAULT,
  figureInWords,
  type MonteCarloAnswer,
  type StashPlanInput,
  shareInWords,
} from "@stashlight/planner";
import { Callout } from "@stashlight/ui/feedback";
import { FigurePanel } from "@stashlight/ui/figure";
import { Field, TextInput } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { type ReactNode, useMemo } from "react";
import { FigureTable } from "./figure-table.tsx";
import { doubtFigure, labelOf } from "./figures.ts";
import { RangeEditor } from "./range-editor.tsx";
import { type RangeRow, sayRange } from "./ranges.ts";
import { useDoubt } from "./use-doubt.ts";
import type { RangesState } from "./use-ranges.ts";

interface DoubtPanelProps {
  readonly input: StashPlanInput;
  readonly state: RangesState;
}

/** What the answer would be if the inputs were otherwise, within ranges that are given, the fleet's, or around them. */
export function DoubtPanel({ input, state }: DoubtPanelProps) {
  const { ranges, rows, percentText, isPercent, setPercent } = state;
  const doubt = useDoubt(input, ranges);
  return (
    <DoubtSection answer={doubt.answer?.answer ?? null} hasFailed={doubt.hasFailed}>
      {ranges === null && (
        <Callout status="warning" title="The last good draws">
          They stay until the marked ranges are corrected; they do not know what stands in them.
        </Callout>
      )}
      <div className="max-w-72 print:hidden">
        <Field
          label="Around inputs without a range of their own, %"
          error={isPercent ? undefined : "Write 0 to 90 %."}
        >
          <TextInput
            inputMode="decimal"
            value={percentText}
            onChange={(event) => setPercent(event.target.value)}
          />
        </Field>
      </div>
      <RangeEditor state={state} />
      <div className="hidden print:block">
        <RangeTable rows={rows} />
      </div>
    </DoubtSection>
  );
}

interface DoubtSectionProps {
  readonly answer: MonteCarloAnswer | null;
  readonly hasFailed: boolean;
  /** Whatever says of which ranges it is. */
  readonly children: ReactNode;
}

export function DoubtSection({ answer, hasFailed, children }: DoubtSectionProps) {
  const figure = useMemo(() => (answer === null ? null : doubtFigure(answer)), [answer]);
  return (
    <Section
      title="How sure is it?"
      description={`${figureInWords(DRAWS_DEFAULT)} plans with inputs drawn from their ranges, independently of each other.`}
    >
      {hasFailed && (
        <Callout status="warning" title="The draws could not be made">
          The browser did not start the worker that makes them; reload the page to try again.
        </Callout>
      )}
      {answer !== null && <p aria-live="polite">{answer.sentence}</p>}
      <FigurePanel
        title="How many servers?"
        metric="share of draws that need so many"
        figure={figure}
        source={
          answer === null
            ? undefined
            : constraintNames
                .filter((name) => answer.bindingShares[name] > 0)
                .map((name) => `${name} binds in ${shareInWords(answer.bindingShares[name])}`)
                .join(" · ")
        }
        exportName="servers"
        heightPx={240}
      />
      {children}
    </Section>
  );
}

export function RangeTable({ rows }: { rows: readonly RangeRow[] }) {
  return (
    <FigureTable
      label="Ranges"
      columns={["Input", "Range", "Of"]}
      rows={rows.map(({ variable, range, source }) => ({
        name: labelOf(variable),
        cells: [sayRange(range), source],
      }))}
    />
  );
}
