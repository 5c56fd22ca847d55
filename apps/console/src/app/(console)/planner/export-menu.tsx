"use client";
import { downloadText } from "@stashlight/ui";
import { Button } from "@stashlight/ui/form";
import { Menu } from "@stashlight/ui/menu";
import { FileDown } from "lucide-react";
import { answerAsCsv, answerAsJson, type ExportedPlan, inputAsJson, toFileName } from "./export.ts";

interface ExportMenuProps {
  readonly name: string;
  readonly plan: ExportedPlan;
}

export function ExportMenu({ name, plan }: ExportMenuProps) {
  const file = toFileName(name);
  return (
    <Menu
      label="Export"
      trigger={
        <Button variant="secondary" icon={<FileDown aria-hidden="true" />}>
          Export
        </Button>
      }
      items={[
        {
          id: "input",
          label: "Inputs as JSON, for the command line",
          onSelect: () => downloadText(`${file}.json`, "application/json", inputAsJson(plan.input)),
        },
        {
          id: "answer",
          label: "Answer as JSON",
          onSelect: () => downloadText(`${file}-answer.json`, "application/json", answerAsJson(plan)),
        },
        {
          id: "csv",
          label: "Answer as CSV",
          onSelect: () => downloadText(`${file}.csv`, "text/csv;charset=utf-8", answerAsCsv(plan)),
        },
        { id: "line", separator: true },
        { id: "print", label: "Print or save as PDF", onSelect: () => window.print() },
      ]}
    />
  );
}
