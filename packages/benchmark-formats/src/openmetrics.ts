import type { BenchmarkStarts } from "@stashlight/contracts/sample";
import { percentileNames, summariseRun } from "@stashlight/stats";
import { type ExportedRun, groupSamples, type SampleGroup } from "./exported-run.ts";

const LATENCY = "stashlight_benchmark_latency_seconds";
const SERVICE = "stashlight_benchmark_service_seconds";
const START_DELAY = "stashlight_benchmark_start_delay_seconds";
const OPERATIONS = "stashlight_benchmark_operations";

type DueStarts = Extract<BenchmarkStarts, { kind: "due" }>;

/**
 * Writes a run as an OpenMetrics exposition: durations as a summary in seconds, outcomes as a counter. Quantiles that
 * lack samples or fall among failures are left out. The time is that of the last sample.
 */
export function renderOpenMetrics(run: ExportedRun): string {
  const groups = groupSamples(run);
  const endedAt = run.samples.reduce(
    (last, { startedAtMs, wireMs }) => Math.max(last, startedAtMs + wireMs),
    0,
  );
  const at = (endedAt / 1000).toFixed(3);
  return [
    `# TYPE ${LATENCY} summary`,
    `# UNIT ${LATENCY} seconds`,
    `# HELP ${LATENCY} From the request's first byte, or with a rate from the moment at which an operation was due, to the response's last byte; of operations that succeeded.`,
    ...groups.flatMap((group) => latencyLines(run, group, at)),
    ...startLines(run, groups, at),
    `# TYPE ${OPERATIONS} counter`,
    `# HELP ${OPERATIONS} Operations by outcome.`,
    ...groups.flatMap((group) => outcomeLines(run, group, at)),
    "# EOF",
    "",
  ].join("\n");
}

function latencyLines(run: ExportedRun, group: SampleGroup, at: string): string[] {
  const summary = summariseRun({ ok: group.okMs, censored: group.censoredMs });
  const quantiles = Object.keys(percentileNames).flatMap((name) => {
    const { value, perMillion, hasEnoughSamples } = summary.percentiles[name as keyof typeof percentileNames];
    if (value === null || !hasEnoughSamples) return [];
    return `${LATENCY}${labels(run, group, { quantile: String(perMillion / 1e6) })} ${value / 1000} ${at}`;
  });
  const sum = group.okMs.reduce((total, value) => total + value, 0) / 1000;
  return [
    ...quantiles,
    `${LATENCY}_count${labels(run, group)} ${group.okMs.length} ${at}`,
    `${LATENCY}_sum${labels(run, group)} ${sum} ${at}`,
  ];
}

/** Only for loads at a constant rate, whose latencies do not begin when a request is written. */
function startLines(run: ExportedRun, groups: readonly SampleGroup[], at: string): string[] {
  const lines = (name: string, help: string, quantiles: (due: DueStarts) => [number, number | null][]) => {
    const values = groups.flatMap((group) => {
      if (group.starts?.kind !== "due") return [];
      return quantiles(group.starts).flatMap(([quantile, ms]) =>
        ms === null ? [] : `${name}${labels(run, group, { quantile: String(quantile) })} ${ms / 1000} ${at}`,
      );
    });
    const head = [`# TYPE ${name} summary`, `# UNIT ${name} seconds`, `# HELP ${name} ${help}`];
    return values.length === 0 ? [] : [...head, ...values];
  };
  return [
    ...lines(SERVICE, "From the request's first byte to the response's last.", ({ service }) => [
      [0.5, service.medianMs],
      [0.95, service.p95Ms],
      [1, service.maxMs],
    ]),
    ...lines(
      START_DELAY,
      "Delay from the due time of an operation to its start.",
      ({ p50Ms, p99Ms, maxMs }) => [
        [0.5, p50Ms],
        [0.99, p99Ms],
        [1, maxMs],
      ],
    ),
  ];
}

function outcomeLines(run: ExportedRun, group: SampleGroup, at: string): string[] {
  const byOutcome = Map.groupBy(group.samples, ({ outcome }) => outcome);
  return [...byOutcome].map(
    ([outcome, samples]) => `${OPERATIONS}_total${labels(run, group, { outcome })} ${samples.length} ${at}`,
  );
}

function labels(run: ExportedRun, group: SampleGroup, more: Record<string, string> = {}): string {
  const all = {
    run: run.name,
    operation: group.operation,
    size_bytes: String(group.sizeBytes),
    connections: String(group.connectionCount),
    ...(group.endpoint !== undefined && { endpoint: group.endpoint }),
    ...more,
  };
  const pairs = Object.entries(all).map(([name, value]) => `${name}="${escaped(value)}"`);
  return `{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
