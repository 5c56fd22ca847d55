"use client";
import { tiersAlike } from "@stashlight/contracts/metrics";
import type { SeriesLabel } from "@stashlight/contracts/metrics/query";
import { formatCount } from "@stashlight/ui";
import { chooseUnit, formatWith } from "@stashlight/ui/chart";
import { EmptyState } from "@stashlight/ui/feedback";
import { DataTable } from "@stashlight/ui/table";
import type { Column } from "@stashlight/ui/table-state";
import { HardDrive } from "lucide-react";
import { useMemo } from "react";
import { type DeviceTail, deviceTails } from "../../../client/metrics/devices.ts";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { useMetrics } from "../../../client/metrics/use-metrics.ts";
import { useScope } from "../../../client/metrics/use-scope.ts";
import { useTableState } from "../../../client/url-state.ts";
import { Caveats } from "../charts/caveats.tsx";
import { deviceHref } from "../device-href.ts";
import { QueryError } from "../query-state.tsx";

const ms = chooseUnit("seconds", 0.01);
const inMs = (seconds: number) => Number((seconds * 1_000).toPrecision(6));

const columnsOf = (isSeveral: boolean): Column<DeviceTail>[] => [
  { id: "device", header: "Drive", value: ({ device }) => device, hideable: false },
  { id: "vault", header: "Vault", hiddenAtFirst: !isSeveral, value: ({ vault }) => vault },
  { id: "node", header: "Node", value: ({ node }) => node },
  {
    id: "tail",
    header: "Tail",
    title: "Tail: p99 of the worst window, or the slowest, ms",
    numeric: true,
    filterable: false,
    value: ({ seconds }) => inMs(seconds),
    cell: ({ seconds, statistic, n }) => (
      <span className="whitespace-nowrap">
        {formatWith(ms, seconds)}{" "}
        <span className="text-sm text-faint">
          {statistic} · n {formatCount(n)}
        </span>
      </span>
    ),
  },
  {
    id: "slowest",
    header: "Slowest",
    title: "Slowest, ms",
    numeric: true,
    filterable: false,
    value: ({ slowestSeconds }) => inMs(slowestSeconds),
    cell: ({ slowestSeconds }) => formatWith(ms, slowestSeconds),
  },
  {
    id: "n",
    header: "n",
    title: "Syncs in the range",
    numeric: true,
    filterable: false,
    value: ({ nTotal }) => nTotal,
    cell: ({ nTotal }) => formatCount(nTotal),
  },
  { id: "modelled", header: "Modelled as", hiddenAtFirst: true, value: ({ modelled }) => modelled },
];

const byDevice: SeriesLabel[] = ["vault", "node", "device", "modelled"];
const noRows: DeviceTail[] = [];

/** Every drive of a tier with its tail and the number of samples behind it. */
export function DeviceTable({ tier, label }: { tier: "pod" | "stash"; label: string }) {
  const { search } = usePageTime();
  const { isSeveral } = useScope();
  const columns = useMemo(() => columnsOf(isSeveral), [isSeveral]);
  const [state, setState] = useTableState({
    columns,
    defaultSort: { id: "tail", direction: "desc" },
    prefix: `${tier}-`,
  });
  const { answers, error, retry } = useMetrics([
    {
      metric: "stashlight_fsync_seconds",
      where: { tier: [...tiersAlike[tier]] },
      groupBy: byDevice,
      pointCountMax: 20,
    },
  ]);
  const rows = useMemo(() => (answers?.[0] === undefined ? noRows : deviceTails(answers[0])), [answers]);
  const omitted = answers?.[0]?.omittedSeriesCount ?? 0;
  return (
    <>
      <DataTable
        label={label}
        columns={columns}
        rows={rows}
        rowKey={({ node, device }) => `${node} ${device}`}
        rowHref={({ node, device }) => deviceHref(search, node, device)}
        state={state}
        onStateChange={setState}
        status={answers !== undefined ? "ready" : error === null ? "loading" : "error"}
        error={<QueryError what="The drives" error={error} onRetry={retry} />}
        empty={
          <EmptyState icon={<HardDrive />} title="No drive has synced in this time range">
            A drive is listed after its first sync. Choose a longer range to see earlier ones.
          </EmptyState>
        }
        pageSize={10}
        exportName={`fsync-${tier}-drives`}
        skeletonRowCount={10}
      />
      <Caveats origins={answers} />
      {omitted > 0 && (
        <p className="text-sm text-faint">
          {formatCount(omitted)} more drives are not listed; open a vault to see its own.
        </p>
      )}
    </>
  );
}
