"use client";
import type { StashPlanInput } from "@stashlight/planner";
import { Section } from "@stashlight/ui/layout";
import { FigureTable } from "./figure-table.tsx";
import { inputRows } from "./input-rows.ts";

interface InputTableProps {
  readonly input: StashPlanInput;
  /** Paths of values taken from the fleet. */
  readonly sources?: Readonly<Record<string, string>>;
}

/** Input of a plan for readers, on paper and behind a link. */
export function InputTable({ input, sources = {} }: InputTableProps) {
  return (
    <Section title="Inputs">
      <FigureTable
        label="Inputs"
        endsInWords
        columns={["Input", "Value", "Description"]}
        rows={inputRows(input).map(({ path, label, value, help }) => ({
          name: label,
          cells: [
            value,
            <span key="help" className="block max-w-[70ch] print:max-w-none print:leading-tight">
              {help}
              {sources[path] !== undefined && ` From the fleet: ${sources[path]}.`}
            </span>,
          ],
        }))}
      />
    </Section>
  );
}
