"use client";
import type { StashPlanInput } from "@stashlight/planner";
import { Section } from "@stashlight/ui/layout";
import { FigureTable } from "./figure-table.tsx";
import { inputRows } from "./input-rows.ts";

/** What was asked, for whoever reads a plan rather than makes one: on paper and by a link. */
export function InputTable({ input }: { input: StashPlanInput }) {
  return (
    <Section title="Inputs">
      <FigureTable
        label="Inputs"
        endsInWords
        columns={["Input", "Value", "Is"]}
        rows={inputRows(input).map(({ label, value, help }) => ({
          name: label,
          cells: [
            value,
            <span key="help" className="block max-w-[70ch]">
              {help}
            </span>,
          ],
        }))}
      />
    </Section>
  );
}
