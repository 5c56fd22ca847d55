"use client";
import type { MetricName } from "@stashlight/contracts/metrics";
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { DAY_MS, HOUR_MS, WEEK_MS } from "@stashlight/contracts/time";
import { formatCount, serverNow } from "@stashlight/ui";
import { Time } from "@stashlight/ui/data";
import { Callout, Skeleton } from "@stashlight/ui/feedback";
import { Field } from "@stashlight/ui/form";
import { Select } from "@stashlight/ui/select";
import { useQueries, useQuery } from "@tanstack/react-query";
import { type inferParserType, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useEffect, useMemo, useState } from "react";
import { describeError } from "../../../../client/errors.ts";
import { describeOrigin } from "../../../../client/metrics/to-chart.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { type MeasuredDemand, toDemand } from "./measured.ts";

const sources = {
  device: {
    label: "Kernel counters of a drive",
    operations: "stashlight_device_writes_total",
    bytes: "stashlight_device_written_bytes_total",
    isOfDrive: true,
  },
  shards: {
    label: "Shards appended to a drive",
    operations: "stashlight_shards_written_total",
    bytes: "stashlight_shard_written_bytes_total",
    isOfDrive: true,
  },
  uploads: {
    label: "Uploads of a coordinator",
    operations: "stashlight_uploads_total",
    bytes: "stashlight_upload_bytes_total",
    isOfDrive: false,
  },
} as const satisfies Record<
  string,
  { label: string; operations: MetricName; bytes: MetricName; isOfDrive: boolean }
>;
type SourceName = keyof typeof sources;
const sourceNames = Object.keys(sources) as SourceName[];

const rangeMs = { "1h": HOUR_MS, "6h": 21_600_000, "24h": DAY_MS, "7d": WEEK_MS } as const;
type RangeName = keyof typeof rangeMs;
const rangeNames = Object.keys(rangeMs) as RangeName[];
const rangeLabels: Record<RangeName, string> = {
  "1h": "Last hour",
  "6h": "Last 6 hours",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
};

const parsers = {
  source: parseAsStringLiteral(sourceNames).withDefault("device"),
  node: parseAsString,
  device: parseAsString,
  range: parseAsStringLiteral(rangeNames).withDefault("1h"),
};

type Choice = inferParserType<typeof parsers>;

/** The available choices, and the answers for the current one. */
function useFleetDemand(choice: Choice) {
  const trpc = useTRPC();
  const [loadedAtMs] = useState(() => serverNow());
  const source = sources[choice.source];
  const nodes = useQuery(trpc.node.list.queryOptions());
  const fitting = (nodes.data ?? []).filter(({ role }) =>
    source.isOfDrive ? role === "pod" || role === "stash" : role === "coordinator",
  );
  const node = fitting.find(({ name }) => name === choice.node) ?? fitting[0];
  const answers = useQueries({
    queries: [source.operations, source.bytes].map((metric) =>
      trpc.metric.query.queryOptions(
        {
          metric,
          nodeIds: [node?.id ?? ""],
          groupBy: source.isOfDrive ? ["device" as const] : [],
          fromMs: loadedAtMs - rangeMs[choice.range],
          toMs: loadedAtMs,
        },
        { enabled: node !== undefined },
      ),
    ),
  });
  const [operations, bytes] = answers.map(({ data }) => data);
  const named = (operations?.series ?? []).flatMap(({ labels }) => labels.device ?? []);
  const devices = [...new Set(named)].sort(byNumber);
  const device = devices.find((name) => name === choice.device) ?? devices[0];
  const demand = useMemo(
    () =>
      operations === undefined || bytes === undefined
        ? null
        : toDemand(ofDevice(operations, device), ofDevice(bytes, device)),
    [operations, bytes, device],
  );
  const origins = operations === undefined || bytes === undefined ? null : [operations, bytes];
  const failed = answers.find(({ isError }) => isError);
  return { isLoaded: nodes.data !== undefined, fitting, node, devices, device, demand, origins, failed };
}

interface MeasuredFieldsProps {
  readonly measured: MeasuredDemand | null;
  readonly onMeasured: (measured: MeasuredDemand | null) => void;
}

/** Chooses a drive or coordinator of the fleet and a time range, whose windows become the demand. */
export function MeasuredFields({ measured, onMeasured }: MeasuredFieldsProps) {
  const [choice, setChoice] = useQueryStates(parsers, { history: "replace" });
  const { isLoaded, fitting, node, devices, device, demand, origins, failed } = useFleetDemand(choice);
  useEffect(() => onMeasured(demand), [demand]);
  return (
    <>
      <Field label="Figures">
        <Select
          options={sourceNames.map((value) => ({ value, label: sources[value].label }))}
          value={choice.source}
          onValueChange={(value) => void setChoice({ source: value, node: null, device: null })}
        />
      </Field>
      {isLoaded ? (
        <Field label="Node">
          <Select
            options={fitting.map(({ name }) => ({ value: name, label: name }))}
            value={node?.name ?? ""}
            placeholder="No such node has enrolled"
            onValueChange={(name) => void setChoice({ node: name, device: null })}
          />
        </Field>
      ) : (
        <Skeleton height={60} />
      )}
      {device !== undefined && (
        <Field label="Drive">
          <Select
            options={devices.map((name) => ({ value: name, label: name }))}
            value={device}
            onValueChange={(name) => void setChoice({ device: name })}
          />
        </Field>
      )}
      <Field label="Time range">
        <Select
          options={rangeNames.map((value) => ({ value, label: rangeLabels[value] }))}
          value={choice.range}
          onValueChange={(range) => void setChoice({ range })}
        />
      </Field>
      {failed !== undefined && (
        <Callout status="bad" title="The figures could not be read">
          {describeError(failed.error)}
        </Callout>
      )}
      {origins !== null && <Origin origins={origins} measured={measured} source={choice.source} />}
    </>
  );
}

const numbered = new Intl.Collator("en", { numeric: true });
const byNumber = (a: string, b: string): number => numbered.compare(a, b);

const ofDevice = (answer: MetricAnswer, device: string | undefined): MetricAnswer => ({
  ...answer,
  series: answer.series.filter(({ labels }) => labels.device === device),
});

interface OriginProps {
  readonly origins: readonly MetricAnswer[];
  readonly measured: MeasuredDemand | null;
  readonly source: SourceName;
}

function Origin({ origins, measured, source }: OriginProps) {
  const { source: words, caveats, newestMs } = describeOrigin(origins);
  if (measured === null || measured.steps.length === 0) {
    return (
      <Callout status="warning" title="No measurements in this time range">
        {source === "device"
          ? "The kernel's counts are absent where drives of an agent share a device; choose the shards instead."
          : "Choose a longer time or another node."}
      </Callout>
    );
  }
  const { steps, missingCount } = measured;
  return (
    <p className="text-sm text-faint tabular-nums">
      {sources[source].operations} and {sources[source].bytes} · n {formatCount(steps.length)} windows ·{" "}
      {newestMs !== null && <Time value={newestMs} show="age" />} · {words}
      {missingCount > 0 && ` · ${formatCount(missingCount)} missing windows are left out`}
      {caveats.map((caveat) => ` · ${caveat}`)}. Writes only; reads are not measured.
    </p>
  );
}
