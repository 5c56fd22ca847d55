/** Returns one statistic of a metric, with sample counts, instead of all the columns that charts read. */
import { StashlightError } from "@stashlight/contracts/errors";
import { type MetricDefinition, type MetricKind, metricCatalogue } from "@stashlight/contracts/metrics";
import {
  type MetricAnswer,
  type MetricColumns,
  type MetricQuery,
  metricQueryInput,
  type SeriesLabel,
  seriesLabel,
} from "@stashlight/contracts/metrics/query";
import {
  type ApiAnswer,
  type ApiInput,
  type MetricStatistic,
  metricStatistics,
} from "@stashlight/contracts/public-api";
import type { TimeRange } from "@stashlight/contracts/time";
import type { TokenContext } from "@stashlight/services/api-token";
import { queryMetric } from "@stashlight/services/metrics/query";
import type { Platform } from "@stashlight/services/platform";
import { listVaults } from "@stashlight/services/vault";
import { parseRange } from "./range.ts";

const POINT_COUNT_DEFAULT = 400;
const POINT_COUNT_MIN = 20;
const POINT_COUNT_MAX = 2000;

type Asked = ApiInput<"queryMetric">;

export async function queryByStatistic(
  ctx: TokenContext<Platform>,
  input: Asked,
): Promise<ApiAnswer<"queryMetric">> {
  const { kind }: MetricDefinition = metricCatalogue[input.metric];
  const statistic = checkStatistic(kind, input);
  const now = ctx.platform.now();
  const range = parseRange(input.from, input.to, now);
  const question = toMetricQuery(input, range, await readConditions(ctx, input.label));
  const answer = await queryMetric({ ctx, input: question });
  return {
    answeredAt: now.toISOString(),
    metric: answer.metric,
    kind,
    unit: answer.unit,
    statistic,
    from: toIso(range.fromMs),
    to: toIso(range.toMs),
    source: answerSource(answer, now),
    gaps: answer.gaps.map(({ nodeName, startMs, endMs, reason }) => ({
      node: nodeName,
      from: toIso(startMs),
      to: toIso(endMs),
      reason,
    })),
    late:
      answer.late === undefined
        ? null
        : {
            since: toIso(answer.late.sinceMs),
            nodes: [...answer.late.names],
            lateCount: answer.late.lateCount,
            nodeCount: answer.late.nodeCount,
          },
    partial: answer.partial ?? null,
    omittedSeriesCount: answer.omittedSeriesCount,
    series: answer.series.map(({ labels, endMs, columns }) => {
      const n = columns.kind === "histogram" ? columns.n : null;
      return {
        labels: Object.fromEntries(Object.entries(labels)),
        sampleCount: n === null ? null : n.reduce((sum, each) => sum + each, 0),
        points: endMs.map((at, index) => ({
          at: toIso(at),
          value: valueAt(columns, statistic, index, answer.stepMs),
          n: n?.[index] ?? null,
        })),
      };
    }),
  };
}

const toIso = (ms: number): string => new Date(ms).toISOString();

function checkStatistic(kind: MetricKind, { metric, statistic }: Asked): MetricStatistic {
  const known: readonly MetricStatistic[] = metricStatistics[kind];
  const [first] = metricStatistics[kind];
  if (statistic === undefined) return first;
  if (known.includes(statistic)) return statistic;
  throw new StashlightError(
    "invalid_input",
    `${metric} is a ${kind}, whose statistics are ${known.join(", ")}, and not ${statistic}.`,
    { field: "statistic" },
  );
}

function toMetricQuery(input: Asked, { fromMs, toMs }: TimeRange, where: MetricQuery["where"]): MetricQuery {
  const pointCount =
    input.step === undefined ? POINT_COUNT_DEFAULT : Math.ceil((toMs - fromMs) / (input.step * 1000));
  const parsed = metricQueryInput.safeParse({
    metric: input.metric,
    groupBy: input.by,
    across: input.across,
    where,
    fromMs,
    toMs,
    pointCountMax: Math.min(POINT_COUNT_MAX, Math.max(POINT_COUNT_MIN, pointCount)),
  });
  if (!parsed.success) {
    const message = parsed.error.issues[0]?.message ?? "The query could not be read.";
    throw new StashlightError("invalid_input", message, { field: "label" });
  }
  // Sets the number of points below the minimum of charts, because a step may be as long as the range here.
  return { ...parsed.data, pointCountMax: Math.min(POINT_COUNT_MAX, Math.max(1, pointCount)) };
}

/** Parses conditions on labels. Leaves out vaults of the fleet simulator unless one is named, as on every page. */
async function readConditions(
  ctx: TokenContext<Platform>,
  labels: readonly string[],
): Promise<MetricQuery["where"]> {
  const where: Partial<Record<SeriesLabel, string[]>> = {};
  for (const text of labels) {
    const [written = ""] = text.split(":", 1);
    const { data: name } = seriesLabel.safeParse(written);
    if (name === undefined) {
      throw new StashlightError("invalid_input", `There is no label ${written}.`, { field: "label" });
    }
    where[name] = [...(where[name] ?? []), text.slice(name.length + 1)];
  }
  if (where.vault !== undefined || where.node !== undefined) return where;
  const vaults = await listVaults({ ctx });
  const measured = vaults.filter(({ isSimulated }) => !isSimulated);
  if (measured.length === 0 || measured.length === vaults.length) return where;
  return { ...where, vault: measured.map(({ name }) => name) };
}

function answerSource(answer: MetricAnswer, now: Date): ApiAnswer<"queryMetric">["source"] {
  const { resolution, stepMs, newestMs, sourceSeriesCount, modelled, simulatedSeriesCount } = answer;
  return {
    resolution,
    stepSeconds: stepMs / 1000,
    seriesCount: sourceSeriesCount,
    newestAt: newestMs === null ? null : toIso(newestMs),
    ageSeconds: newestMs === null ? null : Math.max(0, (now.getTime() - newestMs) / 1000),
    modelled: [...modelled],
    simulatedSeriesCount,
  };
}

function valueAt(
  columns: MetricColumns,
  statistic: MetricStatistic,
  index: number,
  stepMs: number,
): number | null {
  if (columns.kind === "counter") {
    const increase = columns.increase[index] ?? null;
    return increase === null || statistic === "increase" ? increase : increase / (stepMs / 1000);
  }
  if (columns.kind === "gauge") return gaugeColumn(columns, statistic)[index] ?? null;
  const n = columns.n[index] ?? 0;
  if (statistic === "count") return n;
  if (statistic === "mean") return n === 0 ? null : (columns.sum[index] ?? 0) / n;
  return histogramColumn(columns, statistic)[index] ?? null;
}

type ColumnsOf<Kind> = Extract<MetricColumns, { kind: Kind }>;

function gaugeColumn(columns: ColumnsOf<"gauge">, statistic: MetricStatistic): readonly number[] {
  if (statistic === "avg" || statistic === "min" || statistic === "max") return columns[statistic];
  return columns.last;
}

function histogramColumn(
  columns: ColumnsOf<"histogram">,
  statistic: MetricStatistic,
): readonly (number | null)[] {
  const names = ["min", "max", "p50", "p90", "p99", "p999"] as const;
  const name = names.find((each) => each === statistic);
  return name === undefined ? [] : columns[name];
}
