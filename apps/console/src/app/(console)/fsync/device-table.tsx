"use client";
import { tiersAlike } from "@stashlight/contracts/metrics";
import { formatCount } from "@stashlight/ui";
import { chooseUnit, formatWith } from "@stashlight/ui/chart";
import { numberColumn, textColumn } from "@stashlight/ui/columns";
import { Time } from "@stashlight/ui/data";
import { DataTable } from "@stashlight/ui/table";
import type { Column } from "@stashlight/ui/table-state";
import { HardDrive } from "lucide-react";
import { useMemo } from "react";
import {
  changeInWords,
  type DriveRow,
  type DriveRows,
  type DriveStatistic,
  driveRows,
  driveSelection,
  statisticWord,
  tooFewInWords,
} from "../../../client/metrics/devices.ts";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { useMetrics } from "../../../client/metrics/use-metrics.ts";
import { useScope } from "../../../client/metrics/use-scope.ts";
import { NextStep, useLongerRange } from "../../../client/next-step.tsx";
import { useTableState } from "../../../client/url-state.ts";
import { Caveats } from "../charts/caveats.tsx";
import { deviceHref } from "../device-href.ts";
import { QueryError } from "../query-state.tsx";

const ms = chooseUnit("seconds", 0.01);
const inMs = (seconds: number) => Number((seconds * 1_000).toPrecision(6));

function deviceColumns(statistic: DriveStatistic, isSeveral: boolean): Column<DriveRow>[] {
  const word = statisticWord(statistic);
  return [
    { id: "device", header: "Drive", value: ({ device }) => device, hideable: false },
    { id: "vault", header: "Vault", hiddenAtFirst: !isSeveral, value: ({ vault }) => vault },
    { id: "node", header: "Node", value: ({ node }) => node },
    numberColumn("tail", word, ({ seconds }) => (seconds === null ? null : inMs(seconds)), {
      title: `${word} of the whole range, ms`,
      cell: ({ seconds, n }) =>
        seconds === null ? <span title={tooFewInWords(statistic, n)}>–</span> : formatWith(ms, seconds),
    }),
    textColumn("since", "Changed", ({ change }) => (change === null ? null : new Date(change.sinceMs)), {
      title: "When the drive's typical sync last changed, in this range",
      filterable: false,
      cell: ({ change }) => change !== null && <Changed change={change} />,
    }),
    numberColumn("slowest", "Slowest", ({ slowestSeconds }) => inMs(slowestSeconds), {
      title: "Slowest sync of the range, ms",
      hiddenAtFirst: statistic === "max",
      cell: ({ slowestSeconds }) => formatWith(ms, slowestSeconds),
    }),
    numberColumn("n", "n", ({ n }) => n, { title: "Syncs in the range", cell: ({ n }) => formatCount(n) }),
    { id: "modelled", header: "Modelled as", hiddenAtFirst: true, value: ({ modelled }) => modelled },
  ];
}

function Changed({ change }: { change: NonNullable<DriveRow["change"]> }) {
  const { word, times } = changeInWords(change);
  const [before, after] = [change.before, change.after].map((seconds) => formatWith(ms, seconds));
  return (
    <span
      className={`whitespace-nowrap ${word === "slow" ? "text-warning" : "text-faint"}`}
      title={`A typical sync took ${before} before, and ${after} since then.`}
    >
      {word} since <Time value={change.sinceMs} show="clock" />, {times}
    </span>
  );
}

const noDrives: DriveRows = { statistic: "p99", rows: [] };

/** Lists every drive of a tier with one statistic over the whole range, and since when the drive has been that slow. */
export function DeviceTable({ tier, label }: { tier: "pod" | "stash"; label: string }) {
  const longer = useLongerRange();
  const { search } = usePageTime();
  const { isSeveral } = useScope();
  const { answers, error, retry } = useMetrics([driveSelection(tiersAlike[tier], true)]);
  const { statistic, rows } = useMemo(
    () => (answers?.[0] === undefined ? noDrives : driveRows(answers[0])),
    [answers],
  );
  const columns = useMemo(() => deviceColumns(statistic, isSeveral), [statistic, isSeveral]);
  const [state, setState] = useTableState({
    columns,
    defaultSort: { id: "tail", direction: "desc" },
    prefix: `${tier}-`,
  });
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
          <NextStep icon={<HardDrive />} title="No drive has synced in this time range" step={longer}>
            A drive is listed after its first sync. Choose a longer range to see earlier ones.
          </NextStep>
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
