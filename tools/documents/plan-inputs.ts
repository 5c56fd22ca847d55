/** The planner's inputs as a table for docs/planning.md, which is written by `pnpm docs:inputs`. */
import { type PlanField, planFields } from "@stashlight/planner";
import { formatTable, withText } from "./table.ts";

const MARKS = ["<!-- The inputs, written by pnpm docs:inputs -->", "<!-- End of the inputs -->"] as const;

const HEAD = ["Name", "Default", "From", "To", "Meaning", "Where the default is from"];

function fieldCells({ path, default: value, bounds, help, defaultFrom }: PlanField): string[] {
  const figure = (stored: number | undefined): string => (stored === undefined ? "" : sayFigure(stored));
  const shown = typeof value === "number" ? sayFigure(value) : (value ?? "null");
  return [`\`${path}\``, shown, figure(bounds?.min), figure(bounds?.max), help, defaultFrom];
}

const sayFigure = (stored: number): string =>
  Math.abs(stored) >= 1e6
    ? Number(stored.toPrecision(6)).toExponential()
    : String(Number(stored.toPrecision(6)));

export const withPlanInputs = (document: string): string =>
  withText(document, MARKS, "inputs", formatTable([HEAD, ...planFields.map(fieldCells)]));
