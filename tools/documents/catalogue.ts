/** The catalogue of metrics as tables for docs/metrics.md, which is written by `pnpm docs:metrics`. */
import { type MetricDefinition, type MetricKind, metricCatalogue } from "@stashlight/contracts/metrics";
import { formatTable, withText } from "./table.ts";

const KINDS = [
  ["histogram", "Histograms"],
  ["gauge", "Gauges"],
  ["counter", "Counters"],
] as const satisfies readonly (readonly [MetricKind, string])[];

const MARKS = [
  "<!-- The catalogue, written by pnpm docs:metrics -->",
  "<!-- End of the catalogue -->",
] as const;

const HEAD = ["Name", "Kind", "Unit", "Labels", "Meaning"];

function metricCells([name, { kind, unit, labels, isOfDrive, help }]: [string, MetricDefinition]): string[] {
  const all = [...labels, ...(isOfDrive ? ["modelled?"] : [])].map((label) => `\`${label}\``);
  return [`\`${name}\``, kind, unit, all.join(", "), help];
}

function catalogueTables(): string {
  const metrics = Object.entries<MetricDefinition>(metricCatalogue);
  const tables = KINDS.map(([kind, title]) => {
    const rows = metrics.filter(([, definition]) => definition.kind === kind).map(metricCells);
    return `### ${title}\n\n${formatTable([HEAD, ...rows])}`;
  });
  return tables.join("\n\n");
}

/** The document with the current catalogue between its two marks. */
export const withCatalogue = (document: string): string =>
  withText(document, MARKS, "catalogue", catalogueTables());
