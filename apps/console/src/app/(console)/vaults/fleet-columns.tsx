"use client";
import { formatFill } from "@stashlight/contracts/space";
import { MINUTE_MS } from "@stashlight/contracts/time";
import { formatCount, MISSING, type Status } from "@stashlight/ui";
import { formatQuantity } from "@stashlight/ui/chart";
import { numberColumn, textColumn, timeColumn } from "@stashlight/ui/columns";
import { Time } from "@stashlight/ui/data";
import { Badge, StatusDot, StatusShape } from "@stashlight/ui/feedback";
import type { Column } from "@stashlight/ui/table-state";
import type { ReactNode } from "react";
import { formatFiringCount } from "../../../client/firing-count.ts";
import { formatForecast, orderOfForecast } from "../../../client/forecasts.ts";
import { type PageTime, usePageTime } from "../../../client/metrics/page-time.tsx";
import type { Tail } from "../../../client/metrics/tail.ts";
import { isStale } from "../../../client/metrics/to-chart.ts";
import { needsPerson } from "../charts/figure.ts";
import type { ExplainedState } from "../charts/vault-state.ts";
import { rankOfProblems, type VaultCondition } from "./vault-condition.ts";
import { stateOfVault, type VaultRow } from "./vault-rows.ts";

export type FleetRow = VaultRow & {
  readonly condition: VaultCondition;
  readonly state: ReturnType<typeof stateOfVault>;
};

const percent = (share: number | null): number | null =>
  share === null ? null : Number((share * 100).toFixed(1));

/** Marks a figure that needs attention with the shape of its status, and adds the alert that decides it. */
function Judged({ status, why, children }: ExplainedState<Status> & { children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5 tabular-nums">
      {needsPerson(status) && (
        <>
          <StatusShape status={status} size={8} />
          <span className="sr-only">{status}</span>
        </>
      )}
      {children}
      {why !== null && <span className="text-faint">{why}</span>}
    </span>
  );
}

const fillColumn = (
  id: string,
  header: string,
  title: string,
  of: "fill" | "stashFill",
): Column<FleetRow> => ({
  id,
  header,
  title,
  numeric: true,
  filterable: false,
  value: ({ condition }) => percent(condition[of].value),
  cell: ({ condition }) => {
    const { value, status, why } = condition[of];
    return value === null ? (
      MISSING
    ) : (
      <Judged status={status} why={why}>
        {formatFill(value)}
      </Judged>
    );
  },
});

function timeCell({ condition: { timeToFull } }: FleetRow): ReactNode {
  const { forecast, of, status, why } = timeToFull;
  const { value, statistic, missing } = formatForecast(forecast);
  if (value === null) return <span title={`${missing} ${statistic}`}>{MISSING}</span>;
  return (
    <Judged status={status} why={why}>
      <span title={statistic}>{value}</span>
      {forecast.kind !== "none" && <span className="text-faint">{of}</span>}
    </Judged>
  );
}

/** Vaults that do not fill up and vaults without a forecast sort last. */
function secondsToFull({ condition }: FleetRow): number | null {
  const seconds = orderOfForecast(condition.timeToFull.forecast);
  return seconds < Number.MAX_VALUE ? Math.round(seconds) : null;
}

/** A figure of the newest minute needs no age in a table. */
const AGE_SHOWN_FROM_MS = MINUTE_MS;

function UploadTail({ seconds, statistic, n, untilMs }: Tail) {
  const { nowMs } = usePageTime();
  const { value, unit } = formatQuantity("seconds", seconds);
  return (
    <span className="tabular-nums" title={`${statistic}, n ${formatCount(n)}`}>
      {value} {unit}
      <span className="text-faint">
        {!statistic.startsWith("p99") && ` ${statistic}`}
        {nowMs - untilMs >= AGE_SHOWN_FROM_MS && (
          <>
            {" · "}
            <Time value={untilMs} show="age" />
          </>
        )}
      </span>
    </span>
  );
}

const uploadCell = ({ condition: { upload } }: FleetRow): ReactNode =>
  upload === null ? MISSING : <UploadTail {...upload} />;

function problemsCell({ condition: { problems } }: FleetRow): ReactNode {
  if (problems.count === 0) return <span className="text-muted">none</span>;
  return <StatusDot status={problems.worst} label={formatFiringCount(problems.count)} />;
}

/** Adds the state. Uses the rule of tiles for stale figures, so that a row agrees with the vault's page. */
export function judgeRow(
  row: Omit<FleetRow, "state">,
  { nowMs, isLive }: Pick<PageTime, "nowMs" | "isLive">,
): FleetRow {
  const { atMs, stepMs } = row.condition.measured;
  return { ...row, state: stateOfVault(row, isLive && isStale(atMs, nowMs, stepMs)) };
}

export const fleetColumns: Column<FleetRow>[] = [
  textColumn("vault", "Vault", ({ vault }) => vault, {
    hideable: false,
    cell: ({ vault, isSimulated }) => (
      <span className="flex items-center gap-2">
        <span>{vault}</span>
        {isSimulated && <Badge>simulated</Badge>}
      </span>
    ),
  }),
  textColumn("state", "State", ({ state }) => state.word, {
    cell: ({ state: { status, word } }) => <StatusDot status={status} label={word} />,
  }),
  textColumn("problems", "Problems", ({ condition }) => rankOfProblems(condition.problems), {
    title: "Firing alerts, by cause",
    filterable: false,
    csv: ({ condition }) => condition.problems.count,
    cell: problemsCell,
  }),
  fillColumn("fill", "Fill", "Used share of the space for objects, %", "fill"),
  fillColumn("stash-fill", "Stash occupied", "Share of the stash in unpurged shards, %", "stashFill"),
  numberColumn("full", "Time to full", secondsToFull, {
    title: "Time until the pods or the stash are full, from their history, s",
    cell: timeCell,
  }),
  numberColumn(
    "upload",
    "Upload p99",
    ({ condition: { upload } }) => (upload === null ? null : Number((upload.seconds * 1000).toFixed(3))),
    { title: "Newest p99 of uploads through the stash, ms", cell: uploadCell },
  ),
  numberColumn("nodes", "Nodes", ({ nodeCount }) => nodeCount),
  numberColumn("pods", "Pod nodes", ({ podNodeCount }) => podNodeCount),
  numberColumn("stash", "Stash nodes", ({ stashNodeCount }) => stashNodeCount),
  timeColumn(
    "seen",
    "Last heard from",
    ({ lastSeenAt }) => lastSeenAt,
    { show: "relative", missing: "never" },
    { filterable: false },
  ),
];
