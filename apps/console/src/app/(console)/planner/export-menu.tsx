"use client";
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
          onSelect: () => download(`${file}.json`, "application/json", inputAsJson(plan.input)),
        },
        {
          id: "answer",
          label: "Answer as JSON",
          onSelect: () => download(`${file}-answer.json`, "application/json", answerAsJson(plan)),
        },
        {
          id: "csv",
          label: "Answer as CSV",
          onSelect: () => download(`${file}.csv`, "text/csv;charset=utf-8", answerAsCsv(plan)),
        },
        { id: "line", separator: true },
        { id: "print", label: "Print or save as PDF", onSelect: () => window.print() },
      ]}
    />
  );
}

/** Creates all files in the browser. */
function download(fileName: string, mediaType: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: mediaType }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
