/** The catalogue of metrics as tables for docs/metrics.md, which is written by `pnpm docs:metrics`. */
import { type MetricDefinition, type MetricKind, metricCatalogue } from "@stashlight/contracts/metrics";

const KINDS = [
  ["histogram", "Histograms"],
  ["gauge", "Gauges"],
  ["counter", "Counters"],
] as const satisfies readonly (readonly [MetricKind, string])[];

const BEGIN = "<!-- The catalogue, written by pnpm docs:metrics -->";
const END = "<!-- End of the catalogue -->";

function rowOf([name, { kind, unit, labels, isOfDrive, help }]: [string, MetricDefinition]): string {
  const all = [...labels, ...(isOfDrive ? ["modelled?"] : [])].map((label) => `\`${label}\``);
  return `| \`${name}\` | ${kind} | ${unit} | ${all.join(", ")} | ${help} |`;
}

function catalogueTables(): string {
  const metrics = Object.entries<MetricDefinition>(metricCatalogue);
  const tables = KINDS.map(([kind, title]) => {
    const rows = metrics.filter(([, definition]) => definition.kind === kind).map(rowOf);
    const head = ["| Name | Kind | Unit | Labels | What it says |", "| --- | --- | --- | --- | --- |"];
    return [`### ${title}`, "", ...head, ...rows].join("\n");
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
