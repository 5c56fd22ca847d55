import type { ImportedSummary, ImportLimits } from "./imported-run.ts";
import { onLine, parseLine } from "./json-line.ts";
import { at, type JsonNode, optionalAt, requireEntries, requireNumber, requireString } from "./json-node.ts";
import { createLineCutter } from "./lines.ts";
import { RefusedFile, shown } from "./refusal.ts";
import { createOmissions, createRowBudget } from "./row-budget.ts";
import type { TextReader } from "./text-reader.ts";

const TEST = "object_storage_service";

export function isPerfkit(text: string): boolean {
  const line = text.trimStart().split("\n", 1)[0] ?? "";
  return /^\{.*"metric"\s*:/.test(line) && /"(sample_uri|run_uri)"\s*:/.test(line);
}

type Figures = { -readonly [Name in keyof ImportedSummary]: ImportedSummary[Name] };

interface Row {
  readonly metric: string;
  readonly value: JsonNode;
  readonly unit: string;
  readonly runUri: string;
  readonly labels: ReadonlyMap<string, string>;
}

interface Metric {
  /** Name of the measurement, such as "one byte", in lower case. */
  readonly scenario: string;
  readonly direction: string;
  readonly kind: "latency" | "throughput" | "rate";
  /** Percentile, average or stddev; empty for a single figure. */
  readonly statistic: string | undefined;
}

const METRIC =
  /^((?:regional )?(?:one byte|single stream|multi-stream)) (upload|download) (latency|(?:net )?throughput(?: mbps)?|qps)(?: (?:percentile )?(p[\d.]+|average|stddev))?$/i;

function parseMetric(name: string): Metric | null {
  const [, scenario = "", direction = "", what = "", statistic] =
    METRIC.exec(name)?.map((each) => each?.toLowerCase()) ?? [];
  if (scenario === "") return null;
  const kind = what === "qps" ? "rate" : what === "latency" ? "latency" : "throughput";
  return { scenario, direction, kind, statistic };
}

const MS_OF_UNIT: ReadonlyMap<string, number> = new Map([
  ["seconds", 1000],
  ["second", 1000],
  ["sec", 1000],
  ["s", 1000],
  ["milliseconds", 1],
  ["ms", 1],
  ["us", 0.001],
]);
const BYTES_OF_UNIT: ReadonlyMap<string, number> = new Map([
  ["mbps", 125_000],
  ["bit / second", 0.125],
  ["bits / second", 0.125],
  ["byte / second", 1],
]);

/** Labels that distinguish series of figures, and are kept with the file. */
const PLACES = [
  "storage_provider",
  "cloud",
  "object_storage_region",
  "regional_bucket_location",
  "region",
  "zone",
];
const DETAILS = [...PLACES, "perfkitbenchmarker_version"];
const DETAIL_LENGTH_MAX = 1000;

/**
 * Reads PerfKitBenchmarker's perfkitbenchmarker_results.json: one line per figure. Figures with the same scenario,
 * place, size and run form one summary. Rates are approximate: with one stream they are means of each object's rate,
 * and with several they leave out time when not all streams were active.
 */
export function perfkitReader(limits: ImportLimits): TextReader {
  const take = createRowBudget(limits.rowsMax);
  const omissions = createOmissions();
  const summaries = new Map<string, Figures>();
  const details = new Map<string, Set<string>>();
  let startedAtMs: number | null = null;
  const addRow = (root: JsonNode): string | null => {
    const test = requireString(at(root, "test"));
    const row = parseRow(root);
    const metric = parseMetric(row.metric);
    if (test !== TEST) return `figures of the test ${shown(test)}`;
    if (metric === null) return `the metric ${shown(row.metric)}`;
    const { key, empty } = emptySeries(row, metric);
    const figures = summaries.get(key) ?? empty;
    const trouble = addFigure(figures, row, metric);
    if (trouble !== null) return trouble;
    summaries.set(key, figures);
    noteDetails(details, row);
    const timestamp = optionalAt(root, "timestamp");
    if (timestamp !== null)
      startedAtMs = Math.min(startedAtMs ?? Number.POSITIVE_INFINITY, requireNumber(timestamp) * 1000);
    return null;
  };
  const read = (line: number, root: JsonNode): void => {
    take({ line });
    const trouble = addRow(root);
    if (trouble !== null) omissions.add(trouble);
  };
  const cutter = createLineCutter((source, line) => {
    if (source.trim() !== "") onLine(line, () => read(line, parseLine(source, line)));
  });
  return {
    push: cutter.push,
    end() {
      cutter.end();
      const notes = omissions.notes();
      if (summaries.size === 0)
        throw new RefusedFile(
          "nothing-in-it",
          `The file has no figure of PerfKitBenchmarker's ${TEST} that is known here.`,
        );
      return {
        tool: toolVersion(details),
        startedAtMs,
        summaries: [...summaries.values()],
        details: Object.fromEntries(
          [...details].map(([name, values]) => [name, [...values].join(", ").slice(0, DETAIL_LENGTH_MAX)]),
        ),
        notes,
      };
    },
  };
}

function parseRow(root: JsonNode): Row {
  const runUri = optionalAt(root, "run_uri");
  return {
    metric: requireString(at(root, "metric")),
    value: at(root, "value"),
    unit: requireString(at(root, "unit")).toLowerCase(),
    runUri: runUri === null ? "" : requireString(runUri),
    labels: parseLabels(root),
  };
}

/** Reads a text of `|name:value|` parts, or an object if labels are not collapsed. */
function parseLabels(root: JsonNode): ReadonlyMap<string, string> {
  const metadata = optionalAt(root, "metadata");
  if (metadata !== null)
    return new Map(requireEntries(metadata).map(([name, { value }]) => [name, String(value)]));
  const labels = optionalAt(root, "labels");
  const parts = labels === null ? [] : requireString(labels).matchAll(/\|([^:|]{1,100}):([^|]*)\|/g);
  return new Map([...parts].map(([, name = "", value = ""]) => [name, value]));
}

function emptySeries({ labels, runUri }: Row, metric: Metric): { key: string; empty: Figures } {
  const { scenario, direction, kind } = metric;
  const place = PLACES.flatMap((name) => labels.get(name) ?? []).join(" ");
  const size = labels.get("object_size_B") ?? labels.get("object_size_b") ?? "";
  const streams = labels.get("num_streams");
  const parts = [
    `${scenario} ${direction} ${kind}`,
    place,
    size === "distribution" ? "all sizes" : size && `${size} B`,
  ];
  const label = [...parts, streams === undefined ? "" : `${streams} streams`, runUri && `run ${runUri}`]
    .filter((part) => part !== "")
    .join(", ");
  const sizeBytes = scenario.endsWith("one byte") ? 1 : /^\d{1,15}$/.test(size) ? Number(size) : null;
  const operation = direction === "upload" ? "PUT" : "GET";
  return { key: label, empty: { label, operation, sizeBytes, isApproximate: kind !== "latency" } };
}

/** Returns a description of what was not understood; null if the figure was added. */
function addFigure(
  figures: Figures,
  { value, unit, metric: name }: Row,
  { kind, statistic }: Metric,
): string | null {
  const given = requireNumber(value);
  if (kind === "latency")
    return addLatency(figures, given * (MS_OF_UNIT.get(unit) ?? Number.NaN), statistic, unit);
  if (statistic !== undefined && statistic !== "average") return `the spread of a rate, ${shown(name)}`;
  const perUnit = kind === "rate" ? 1 : BYTES_OF_UNIT.get(unit);
  if (perUnit === undefined) return `rates in ${shown(unit)}`;
  const field = kind === "rate" ? "operationsPerSecond" : "bytesPerSecond";
  if (figures[field] !== undefined) return `${shown(name)}, which is given twice`;
  figures[field] = given * perUnit;
  return null;
}

function addLatency(
  figures: Figures,
  ms: number,
  statistic: string | undefined,
  unit: string,
): string | null {
  if (Number.isNaN(ms)) return `latencies in ${shown(unit)}`;
  if (statistic === undefined) return "latencies of single objects";
  if (statistic === "average" || statistic === "stddev") {
    const field = statistic === "average" ? "meanMs" : "sdMs";
    if (figures[field] !== undefined) return `${statistic}s of latency that are given twice`;
    figures[field] = ms;
    return null;
  }
  const perMillion = Math.round(Number(statistic.slice(1)) * 10_000);
  if (!(perMillion >= 0 && perMillion <= 1_000_000)) return `the percentile ${shown(statistic)}`;
  const percentiles = figures.percentilesMs ?? [];
  if (percentiles.some(([each]) => each === perMillion)) return "percentiles that are given twice";
  figures.percentilesMs = [...percentiles, [perMillion, ms] as const].toSorted(([a], [b]) => a - b);
  return null;
}

const DETAIL_VALUES_MAX = 20;

function noteDetails(details: Map<string, Set<string>>, { labels }: Row): void {
  for (const name of DETAILS) {
    const value = labels.get(name);
    if (value === undefined) continue;
    const values = details.get(name) ?? new Set();
    if (values.size < DETAIL_VALUES_MAX) values.add(value);
    details.set(name, values);
  }
}

function toolVersion(details: ReadonlyMap<string, ReadonlySet<string>>): string {
  const [version] = details.get("perfkitbenchmarker_version") ?? [];
  return version === undefined ? "PerfKitBenchmarker" : `PerfKitBenchmarker ${version.slice(0, 50)}`;
}
