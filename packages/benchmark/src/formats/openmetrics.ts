import { percentileNames, summariseRun } from "@stashlight/stats";
import type { ExportedRun, SampleGroup } from "./exported-run.ts";
import { groupsOf } from "./exported-run.ts";

const WIRE = "stashlight_benchmark_wire_seconds";
const OPERATIONS = "stashlight_benchmark_operations";

/**
 * A run as an OpenMetrics exposition: durations as a summary in seconds, outcomes as a counter. Quantiles that lack
 * their samples or lie among failures are left out. The time is that of the last sample.
 */
export function openMetricsOf(run: ExportedRun): string {
  const groups = groupsOf(run);
  const endedAt = run.samples.reduce(
    (last, { startedAtMs, wireMs }) => Math.max(last, startedAtMs + wireMs),
    0,
  );
  const at = (endedAt / 1000).toFixed(3);
  return [
    `# TYPE ${WIRE} summary`,
    `# UNIT ${WIRE} seconds`,
    `# HELP ${WIRE} From the request's first byte to the response's last, of operations that succeeded.`,
    ...groups.flatMap((group) => wireLines(run, group, at)),
    `# TYPE ${OPERATIONS} counter`,
    `# HELP ${OPERATIONS} Operations by outcome.`,
    ...groups.flatMap((group) => outcomeLines(run, group, at)),
    "# EOF",
    "",
  ].join("\n");
}

function wireLines(run: ExportedRun, group: SampleGroup, at: string): string[] {
  const summary = summariseRun({ ok: group.okMs, censored: group.censoredMs });
  const quantiles = Object.keys(percentileNames).flatMap((name) => {
    const { value, perMillion, hasEnoughSamples } = summary.percentiles[name as keyof typeof percentileNames];
    if (value === null || !hasEnoughSamples) return [];
    return `${WIRE}${labels(run, group, { quantile: String(perMillion / 1e6) })} ${value / 1000} ${at}`;
  });
  const sum = group.okMs.reduce((total, value) => total + value, 0) / 1000;
  return [
    ...quantiles,
    `${WIRE}_count${labels(run, group)} ${group.okMs.length} ${at}`,
    `${WIRE}_sum${labels(run, group)} ${sum} ${at}`,
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
