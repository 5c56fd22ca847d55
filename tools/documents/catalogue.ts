/** The catalogue of metrics as tables for docs/metrics.md, which is written by `pnpm docs:metrics`. */
import { type MetricDefinition, type MetricKind, metricCatalogue } from "@stashlight/contracts/metrics";

const KINDS = [
  ["histogram", "Histograms"],
  ["gauge", "Gauges"],
  ["counter", "Counters"],
] as const satisfies readonly (readonly [MetricKind, string])[];

const BEGIN = "<!-- The catalogue, written by pnpm docs:metrics -->";
const END = "<!-- End of the catalogue -->";

const HEAD = ["Name", "Kind", "Unit", "Labels", "What it says"];

function cellsOf([name, { kind, unit, labels, isOfDrive, help }]: [string, MetricDefinition]): string[] {
  const all = [...labels, ...(isOfDrive ? ["modelled?"] : [])].map((label) => `\`${label}\``);
  return [`\`${name}\``, kind, unit, all.join(", "), help];
}

/** Padded, as the formatter has tables. */
function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = HEAD.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const lineOf = (cells: readonly string[], fill = " "): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0, fill)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [
    lineOf(head),
    lineOf(
      HEAD.map(() => ""),
      "-",
    ),
    ...body.map((row) => lineOf(row)),
  ].join("\n");
}

function catalogueTables(): string {
  const metrics = Object.entries<MetricDefinition>(metricCatalogue);
  const tables = KINDS.map(([kind, title]) => {
    const rows = metrics.filter(([, definition]) => definition.kind === kind).map(cellsOf);
    return `### ${title}\n\n${tableOf([HEAD, ...rows])}`;
  });
  return tables.join("\n\n");
}

/** The document with the catalogue as it is, between its two marks. */
export function withCatalogue(document: string): string {
  const [head, rest] = document.split(BEGIN);
  const tail = rest?.split(END)[1];
  if (head === undefined || tail === undefined) {
    throw new Error(`The document has no place for the catalogue, between "${BEGIN}" and "${END}".`);
  }
  return `${head}${BEGIN}\n\n${catalogueTables()}\n\n${END}${tail}`;
}
