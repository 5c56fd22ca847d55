"use client";
import { type RangeShape, rangeShapes } from "@stashlight/planner";
import { Button, TextInput } from "@stashlight/ui/form";
import { Select } from "@stashlight/ui/select";
import { CircleAlert, RotateCcw } from "lucide-react";
import { useId } from "react";
import { variableLabel } from "./answer-charts.ts";
import { findField } from "./draft.ts";
import type { RangeRow } from "./ranges.ts";
import type { RangesState } from "./use-ranges.ts";

const shapeWords: Readonly<Record<RangeShape, string>> = {
  uniform: "Uniform",
  triangular: "Triangular",
  "log-uniform": "Log-uniform",
};
const shapeOptions = rangeShapes.map((value) => ({ value, label: shapeWords[value] }));

/** On phones a row's fields are below its name. */
const columns =
  "grid grid-cols-3 items-start gap-x-2 gap-y-1 md:grid-cols-[minmax(9rem,1fr)_9.5rem_repeat(3,minmax(4.5rem,6.5rem))_2.25rem]";
const leaves = [
  { leaf: "low", label: "From" },
  { leaf: "mode", label: "Most likely" },
  { leaf: "high", label: "To" },
] as const;

/** Each range as fields; typing into one makes it a given range. */
export function RangeEditor({ state }: { state: RangesState }) {
  return (
    <section
      aria-label="Ranges of the inputs"
      className="rounded-md border border-line bg-surface print:hidden"
    >
      <div
        aria-hidden="true"
        className={`${columns} hidden px-3 py-1.5 font-medium text-muted max-md:hidden md:grid`}
      >
        <span>Input</span>
        <span>Distribution</span>
        {leaves.map(({ leaf, label }) => (
          <span key={leaf}>{label}</span>
        ))}
      </div>
      <ul className="divide-y divide-line md:border-t md:border-line">
        {state.rows.map((row, at) => (
          <Row key={row.variable} row={row} at={at} state={state} />
        ))}
      </ul>
    </section>
  );
}

interface RowProps {
  readonly row: RangeRow;
  readonly at: number;
  readonly state: RangesState;
}

function Row({ row, at, state }: RowProps) {
  const id = useId();
  const { variable, draft, origin, source } = row;
  const label = variableLabel(variable);
  const problems = leaves.flatMap(({ leaf }) => {
    const message = state.problemOf(at, leaf);
    return message === undefined ? [] : [{ leaf, message }];
  });
  return (
    <li className={`${columns} px-3 py-1.5`}>
      <span className="col-span-3 min-w-0 self-center md:col-span-1">
        {label} <span className="text-faint">{findField(variable)?.unit}</span>
        <span className="block text-sm text-muted">{source}</span>
      </span>
      <span className="col-span-2 md:col-span-1">
        <Select
          aria-label={`Distribution of ${label}`}
          options={shapeOptions}
          value={draft.shape}
          onValueChange={(shape) =>
            state.change(row, {
              shape,
              mode: shape === "triangular" ? draft.mode || draft.low : "",
            })
          }
        />
      </span>
      <span className="justify-self-end md:order-last">
        {origin === "given" && (
          <Button
            variant="quiet"
            aria-label={`Undo the range of ${label}`}
            title="Restore the default range"
            icon={<RotateCcw aria-hidden="true" />}
            onClick={() => state.reset(variable)}
          />
        )}
      </span>
      {leaves.map(({ leaf, label: end }) => {
        const isWrong = problems.some((problem) => problem.leaf === leaf);
        return (
          <span key={leaf} className="min-w-0">
            <span aria-hidden="true" className="text-sm text-faint md:hidden">
              {end}
            </span>
            <TextInput
              inputMode="decimal"
              autoComplete="off"
              aria-label={`${end}, ${label}`}
              aria-invalid={isWrong || undefined}
              aria-describedby={isWrong ? `${id}-${leaf}` : undefined}
              disabled={leaf === "mode" && draft.shape !== "triangular"}
              value={draft[leaf]}
              onChange={(event) => state.change(row, { [leaf]: event.target.value })}
            />
          </span>
        );
      })}
      <RangeProblems id={id} problems={problems} />
    </li>
  );
}

interface RangeProblemsProps {
  readonly id: string;
  readonly problems: readonly { readonly leaf: string; readonly message: string }[];
}

function RangeProblems({ id, problems }: RangeProblemsProps) {
  return (
    <span aria-live="polite" className="contents">
      {problems.map(({ leaf, message }) => (
        <span
          key={leaf}
          id={`${id}-${leaf}`}
          className="order-last col-span-full flex items-start gap-1.5 text-base text-bad md:justify-end"
        >
          <CircleAlert size={14} aria-hidden="true" className="mt-[3px] shrink-0" />
          {message}
        </span>
      ))}
    </span>
  );
}
