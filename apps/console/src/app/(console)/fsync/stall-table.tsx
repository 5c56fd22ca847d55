"use client";
import { tiersAlike } from "@stashlight/contracts/metrics";
import type { Stall } from "@stashlight/contracts/metrics/query";
import { formatCount } from "@stashlight/ui";
import { chooseUnit, formatWith } from "@stashlight/ui/chart";
import { numberColumn, textColumn } from "@stashlight/ui/columns";
import { Time } from "@stashlight/ui/data";
import { EmptyState } from "@stashlight/ui/feedback";
import { Select } from "@stashlight/ui/select";
import { DataTable } from "@stashlight/ui/table";
import type { Column } from "@stashlight/ui/table-state";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { parseAsNumberLiteral, useQueryState } from "nuqs";
import { useMemo } from "react";
import { latestAnswerMs } from "../../../client/metrics/asked-time.ts";
import { driveRows, driveSelection } from "../../../client/metrics/devices.ts";
import { machineSelection, machinesByNode } from "../../../client/metrics/machines.ts";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { describeOrigin } from "../../../client/metrics/to-chart.ts";
import { useAskedTime } from "../../../client/metrics/use-asked-time.ts";
import { useMetrics } from "../../../client/metrics/use-metrics.ts";
import { useScope } from "../../../client/metrics/use-scope.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { useTableState } from "../../../client/url-state.ts";
import { QueryError } from "../query-state.tsx";
import { MachineLines } from "./machine-lines.tsx";
import { type FoldedStalls, foldStalls } from "./machine-stalls.ts";
import {
  type DriveTier,
  formatOrigin,
  formatThreshold,
  rangeAround,
  stallHref,
  stallThresholds,
} from "./stalls.ts";

const ms = chooseUnit("seconds", 0.01);
const inMs = (seconds: number) => Number((seconds * 1_000).toPrecision(6));

const stallColumns = (isSeveral: boolean): Column<Stall>[] => [
  numberColumn("slowest", "Slowest", ({ maxSeconds }) => inMs(maxSeconds), {
    title: "Slowest sync of the window, ms",
    hideable: false,
    cell: ({ maxSeconds }) => formatWith(ms, maxSeconds),
  }),
  textColumn("device", "Drive", ({ device }) => device, {
    cell: (stall) => <StalledDrive stall={stall} />,
  }),
  { id: "node", header: "Node", value: ({ node }) => node },
  { id: "vault", header: "Vault", hiddenAtFirst: !isSeveral, value: ({ vault }) => vault },
  textColumn("when", "Window", ({ endMs }) => new Date(endMs), {
    title: "End of the window",
    filterable: false,
    cell: (stall) => <ShowAround stall={stall} />,
  }),
  numberColumn("span", "Length", ({ startMs, endMs }) => (endMs - startMs) / 1_000, {
    title: "Length of the window, s",
    hiddenAtFirst: true,
  }),
  numberColumn("p50", "p50", ({ p50Seconds }) => (p50Seconds === null ? null : inMs(p50Seconds)), {
    title: "p50 of the window, ms",
    cell: ({ p50Seconds }) =>
      p50Seconds === null ? (
        <span title="A p50 needs 20 syncs in the window.">–</span>
      ) : (
        formatWith(ms, p50Seconds)
      ),
  }),
  numberColumn("n", "n", ({ n }) => n, { title: "Syncs in the window", cell: ({ n }) => formatCount(n) }),
  textColumn("origin", "Source", (stall) => formatOrigin(stall) ?? "measured", {
    hiddenAtFirst: true,
  }),
];

function StalledDrive({ stall }: { stall: Stall }) {
  const origin = formatOrigin(stall);
  return (
    <span className="whitespace-nowrap">
      {stall.device}
      {origin !== null && (
        <span className="text-sm text-warning" title={origin}>
          {stall.isSimulated ? " · simulated" : " · modelled"}
        </span>
      )}
    </span>
  );
}

/** Shows the page at the time of the stall; Back returns. */
function ShowAround({ stall }: { stall: Stall }) {
  const { zoom } = usePageTime();
  return (
    <button
      type="button"
      title="Show the charts around this time"
      className="rounded-sm text-accent-ink hover:underline"
      onClick={() => zoom(rangeAround(stall))}
    >
      <Time value={stall.endMs} />
    </button>
  );
}

const noStalls: Stall[] = [];

interface StallTableProps {
  readonly tier: DriveTier;
  /** "SSD". */
  readonly medium: string;
}

/** Slowest single syncs in the page's time range; no percentile shows a single one. */
export function StallTable({ tier, medium }: StallTableProps) {
  const trpc = useTRPC();
  const { range, moveOn } = useAskedTime();
  const { choicesMs, defaultMs } = stallThresholds[tier];
  const [overMs, setOverMs] = useQueryState(
    `${tier}-over`,
    parseAsNumberLiteral(choicesMs).withDefault(defaultMs).withOptions({ history: "replace" }),
  );
  const { asked: vaults, isSeveral } = useScope();
  const columns = useMemo(() => stallColumns(isSeveral), [isSeveral]);
  const [state, setState] = useTableState({
    columns,
    defaultSort: { id: "slowest", direction: "desc" },
    prefix: `${tier}-stall-`,
  });
  const isNewestFirst = state.sort?.id === "when" && state.sort.direction === "desc";
  const query = useQuery(
    trpc.metric.stalls.queryOptions(
      { tier, vaults, ...range, overSeconds: overMs / 1_000, order: isNewestFirst ? "newest" : "worst" },
      { placeholderData: keepPreviousData },
    ),
  );
  moveOn(latestAnswerMs([query]));
  const { data, error } = query;
  const stalls = data?.stalls ?? noStalls;
  const { machines, alone } = useFoldedStalls(tier, stalls);
  return (
    <>
      <MachineLines machines={machines} medium={medium} />
      <DataTable
        label={`Stalls on ${medium}`}
        columns={columns}
        rows={alone}
        rowKey={({ node, device, endMs }) => `${node} ${device} ${endMs}`}
        rowHref={stallHref}
        state={state}
        onStateChange={setState}
        status={data !== undefined ? "ready" : error === null ? "loading" : "error"}
        error={<QueryError what="The stalls" error={error} onRetry={() => void query.refetch()} />}
        empty={
          <NoStalls
            medium={medium}
            overMs={overMs}
            isOther={machines.length > 0}
            newestMs={data?.newestMs ?? null}
          />
        }
        toolbar={
          <span className="w-32 max-md:w-full">
            <Select
              aria-label={`Stalls on ${medium}: syncs that took longer than`}
              className="h-8! md:text-base!"
              options={choicesMs.map((choice) => ({
                value: `${choice}`,
                label: `over ${formatThreshold(choice)}`,
              }))}
              value={`${overMs}`}
              onValueChange={(value) => void setOverMs(Number(value))}
            />
          </span>
        }
        pageSize={10}
        exportName={`fsync-${tier}-stalls`}
        skeletonRowCount={10}
      />
      <Origin data={data} shownCount={stalls.length} isNewestFirst={isNewestFirst} />
    </>
  );
}

interface NoStallsProps {
  readonly medium: string;
  readonly overMs: number;
  /** True if stalls of machines are listed above. */
  readonly isOther: boolean;
  readonly newestMs: number | null;
}

function NoStalls({ medium, overMs, isOther, newestMs }: NoStallsProps) {
  const title = `No ${isOther ? "other " : ""}sync took longer than ${formatThreshold(overMs)}`;
  return (
    <EmptyState icon={<CircleCheck />} title={title}>
      {newestMs === null
        ? `No ${medium} has reported a sync yet.`
        : "Choose a lower limit to see the slowest of the others."}
    </EmptyState>
  );
}

/** Separates stalls of whole machines from those of single drives; all count as single until the machines are known. */
function useFoldedStalls(tier: DriveTier, stalls: readonly Stall[]): FoldedStalls {
  const { answers } = useMetrics([machineSelection, driveSelection(tiersAlike[tier], true)]);
  return useMemo(() => {
    const drives = answers?.[1] === undefined ? [] : driveRows(answers[1]).rows;
    return foldStalls(stalls, machinesByNode(answers?.[0]), drives);
  }, [stalls, answers]);
}

type Answer = Parameters<typeof describeOrigin>[0][number] & { readonly totalCount: number };

/** Age and source of the list, and what it omits. */
function Origin({
  data,
  shownCount,
  isNewestFirst,
}: {
  data: Answer | undefined;
  shownCount: number;
  isNewestFirst: boolean;
}) {
  if (data === undefined) return <p className="min-h-4 text-sm" />;
  const { newestMs, caveats } = describeOrigin([data]);
  const omitted =
    data.totalCount > shownCount
      ? ` · the ${isNewestFirst ? "newest" : "worst"} ${formatCount(shownCount)} of ${formatCount(data.totalCount)} windows over the limit`
      : "";
  return (
    <p className="min-h-4 text-sm text-faint tabular-nums">
      {newestMs !== null && (
        <>
          <Time value={newestMs} show="age" /> ·{" "}
        </>
      )}
      one row per drive and window
      {omitted}
      {caveats.map((caveat) => (
        <span key={caveat} className="text-warning">
          {` · ${caveat}`}
        </span>
      ))}
    </p>
  );
}
