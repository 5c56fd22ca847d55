import { isFormula } from "@stashlight/contracts/escape";
import { type BenchmarkSample, benchmarkSampleSchema } from "@stashlight/contracts/sample";
import { shortened } from "./refusal.ts";

type Flat = Omit<BenchmarkSample, "phases"> & BenchmarkSample["phases"];
type Kind = "number" | "text" | "boolean";

/** Columns of Stashlight's own CSV: the fields of a sample, with those of its phases beside them. */
const kinds = {
  index: "number",
  slotMs: "number",
  leg: "number",
  operation: "text",
  outcome: "text",
  sizeBytes: "number",
  transferredBytes: "number",
  startedAtMs: "number",
  intendedDelayMs: "number",
  wireMs: "number",
  sdkMs: "number",
  perceivedMs: "number",
  attempts: "number",
  lookupMs: "number",
  connectMs: "number",
  tlsMs: "number",
  writtenMs: "number",
  headersMs: "number",
  bodyMs: "number",
  isCold: "boolean",
  connection: "number",
  localPort: "number",
  remoteAddress: "text",
  endpoint: "text",
  objectKey: "text",
  httpStatus: "number",
  errorCode: "text",
  isTagged: "boolean",
  gcMs: "number",
  loopDelayMs: "number",
  achievedPauseMs: "number",
  rttMs: "number",
  rttMissing: "text",
} as const satisfies Record<keyof Flat, Kind>;

export type SampleColumn = keyof typeof kinds;
export const sampleColumns = Object.keys(kinds) as SampleColumn[];

const phaseColumns: ReadonlySet<string> = new Set<keyof BenchmarkSample["phases"]>([
  "lookupMs",
  "connectMs",
  "tlsMs",
  "writtenMs",
  "headersMs",
  "bodyMs",
]);

export function formatCell(sample: BenchmarkSample, column: SampleColumn): string {
  const flat: Partial<Flat> = { ...sample, ...sample.phases };
  const value = flat[column];
  if (value === undefined) return "";
  // An apostrophe keeps a spreadsheet from executing the cell; one in the text itself is doubled, so that the text is
  // read back unchanged.
  const needsApostrophe = typeof value === "string" && (value.startsWith("'") || isFormula(value));
  return needsApostrophe ? `'${value}` : String(value);
}

/** Parses a cell; undefined if it does not match its column's kind. An empty cell has no value. */
function parsedCell(column: SampleColumn, cell: string): number | string | boolean | undefined {
  switch (kinds[column]) {
    case "number":
      return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(cell) ? Number(cell) : undefined;
    case "boolean":
      return cell === "true" ? true : cell === "false" ? false : undefined;
    case "text":
      return cell.startsWith("'") ? cell.slice(1) : cell;
  }
}

export type ReadSample =
  | { readonly sample: BenchmarkSample }
  /** First error found. */
  | { readonly field: string; readonly problem: string };

/** Builds a sample from its cells, checked by the schema that all samples use. */
export function sampleOfCells(columns: readonly SampleColumn[], cells: readonly string[]): ReadSample {
  const fields: Record<string, unknown> = {};
  const phases: Record<string, unknown> = {};
  for (const [i, column] of columns.entries()) {
    const cell = cells[i] ?? "";
    if (cell === "") continue;
    const value = parsedCell(column, cell);
    if (value === undefined) return { field: column, problem: `it must be a ${kinds[column]}` };
    (phaseColumns.has(column) ? phases : fields)[column] = value;
  }
  return checkSample({ ...fields, phases });
}

export function checkSample(value: unknown): ReadSample {
  const parsed = benchmarkSampleSchema.safeParse(value);
  if (parsed.success) return { sample: parsed.data };
  const [issue] = parsed.error.issues;
  const path = issue?.path.map(String) ?? [];
  const field = path.length > 1 && path[0] === "phases" ? path.slice(1) : path;
  const problem = issue?.message ?? "It is wrong";
  return {
    field: shortened(field.join(".")),
    problem: `${problem.charAt(0).toLowerCase()}${shortened(problem.slice(1))}`,
  };
}
