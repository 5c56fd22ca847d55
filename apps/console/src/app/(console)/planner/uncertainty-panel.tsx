"use client";
import {
  constraintNames,
  DRAWS_DEFAULT,
  formatFigure,
  formatShare,
  type MonteCarloAnswer,
  type StashPlanInput,
} from "@stashlight/planner";
import { Callout } from "@stashlight/ui/feedback";
import { FigurePanel } from "@stashlight/ui/figure";
import { Field, TextInput } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { type ReactNode, useMemo } from "react";
import { uncertaintyFigure, variableLabel } from "./answer-charts.ts";
import { FigureTable } from "./figure-table.tsx";
import { loadSoFar } from "./load-source.ts";
import { RangeEditor } from "./range-editor.tsx";
import { formatRange, type RangeRow } from "./ranges.ts";
import type { RangesState } from "./use-ranges.ts";
import { useUncertainty } from "./use-uncertainty.ts";

interface UncertaintyPanelProps {
  readonly input: StashPlanInput;
  /** Reason that the load judges no pool yet; null if it does. */
  readonly unjudged: string | null;
  readonly state: RangesState;
}

/** Distribution of the answer over the ranges of the inputs. */
export function UncertaintyPanel({ input, unjudged, state }: UncertaintyPanelProps) {
  const { ranges, rows, percentText, isPercent, setPercent } = state;
  const uncertainty = useUncertainty(input, ranges);
  return (
    <UncertaintySection {...uncertainty} unjudged={unjudged}>
      {ranges === null && (
        <Callout status="warning" title="The last valid draws">
          They stay until the marked ranges are corrected, and do not take them into account.
        </Callout>
      )}
      <div className="max-w-72 print:hidden">
        <Field label="Default range, %" error={isPercent ? undefined : "Enter 0 to 90 %."}>
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
    </UncertaintySection>
  );
}

interface UncertaintySectionProps {
  readonly unjudged: string | null;
  readonly answer: MonteCarloAnswer | null;
  /** True while the answer belongs to the inputs before the last change. */
  readonly isOutdated: boolean;
  readonly hasFailed: boolean;
  /** Describes the ranges used. */
  readonly children: ReactNode;
}

export function UncertaintySection({
  answer,
  unjudged,
  isOutdated,
  hasFailed,
  children,
}: UncertaintySectionProps) {
  const figure = useMemo(() => (answer === null ? null : uncertaintyFigure(answer)), [answer]);
  return (
    <Section
      title="How sure is it?"
      description={`${formatFigure(DRAWS_DEFAULT)} plans with inputs drawn from their ranges, independently of each other.`}
    >
      {hasFailed && (
        <Callout status="warning" title="The draws failed">
          The browser could not start the worker that runs them. Reload the page to try again.
        </Callout>
      )}
      {answer !== null && (
        <p aria-live="polite">
          {loadSoFar(unjudged)}
          {answer.sentence}
        </p>
      )}
      {answer !== null && (
        <p className="text-sm text-muted">
          {bindingShares(answer)}
          {isOutdated && " · of the inputs before the last change; new draws are running"}
        </p>
      )}
      {figure !== null && (
        <FigurePanel
          title="How likely is each number of servers?"
          metric="share of draws that need each number of servers"
          figure={figure}
          exportName="servers"
          heightPx={240}
        />
      )}
      {children}
    </Section>
  );
}

const bindingShares = (answer: MonteCarloAnswer): string =>
  constraintNames
    .filter((name) => answer.bindingShares[name] > 0)
    .map((name) => `${name} binds in ${formatShare(answer.bindingShares[name])}`)
    .join(" · ");

export function RangeTable({ rows }: { rows: readonly RangeRow[] }) {
  return (
    <FigureTable
      label="Ranges"
      columns={["Input", "Range", "Source"]}
      rows={rows.map(({ variable, range, source }) => ({
        name: variableLabel(variable),
        cells: [formatRange(range), source],
      }))}
    />
  );
}
