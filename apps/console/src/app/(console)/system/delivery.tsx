"use client";
import type { TelemetryHealth } from "@stashlight/contracts";
import { formatBytes, formatCount, formatSpan, type Status } from "@stashlight/ui";
import { Tile, TileGrid, Time } from "@stashlight/ui/data";
import { Callout, Skeleton } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { useQuery } from "@tanstack/react-query";
import { describeError } from "../../../client/errors.ts";
import { formatSkew, skewWarningMs } from "../../../client/nodes.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { QueryError } from "../query-state.tsx";
import { summarise } from "./lag.ts";
import { GapTable, NodeTable, RefusedTable } from "./tables.tsx";

const REFETCH_MS = 5_000;
const TILE_TITLES = ["Nodes live", "Greatest lag", "In spools", "Greatest skew", "Refused", "Ingest"];

/** How what agents measure arrives, as it is at this moment. */
export function Delivery() {
  const trpc = useTRPC();
  const query = useQuery(trpc.health.telemetry.queryOptions(undefined, { refetchInterval: REFETCH_MS }));
  const { data, error } = query;
  if (data === undefined) {
    if (query.isError)
      return <QueryError what="The state of delivery" error={error} onRetry={() => void query.refetch()} />;
    return (
      <>
        <TileGrid>
          {TILE_TITLES.map((title) => (
            <Skeleton key={title} height={104} />
          ))}
        </TileGrid>
        <Skeleton height={420} />
      </>
    );
  }
  const nowMs = data.readAt.getTime();
  return (
    <>
      {query.isError && (
        <Callout status="warning" title="What you see is old: the last reading failed">
          {describeError(error)}
        </Callout>
      )}
      <Tiles health={data} />
      <Section
        title="Who is behind?"
        description="Of each node: how old its newest stored window is, and what waits on its disk."
      >
        <NodeTable health={data} nowMs={nowMs} />
      </Section>
      <div className="grid items-start gap-x-4 gap-y-8 xl:grid-cols-2">
        <Section title="What is missing, and why?">
          <GapTable rows={data.gaps} />
        </Section>
        <Section title="What was refused?">
          <RefusedTable rows={data.refused} />
        </Section>
      </div>
    </>
  );
}

function Tiles({ health }: { health: TelemetryHealth }) {
  const { activeCount, liveCount, simulatedCount, lagMsMax, spoolBytes, skewMsMax, refusedCount } = summarise(
    health.nodes,
    health.readAt.getTime(),
  );
  const shared = { age: <Time value={health.readAt} show="relative" /> };
  const [live, lag, spools, skew, refused, ingest] = TILE_TITLES as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const warnIf = (is: boolean): Status => (is ? "warning" : "good");
  const residentBytes = health.ingests.reduce((sum, { rssBytes }) => sum + rssBytes, 0);
  return (
    <TileGrid>
      <Tile
        {...shared}
        title={live}
        value={activeCount === 0 ? null : `${formatCount(liveCount)} of ${formatCount(activeCount)}`}
        missing="no node is active"
        statistic={simulatedCount === 0 ? undefined : `${formatCount(simulatedCount)} are simulated`}
        status={activeCount === 0 ? "unknown" : warnIf(liveCount < activeCount)}
      />
      <Tile
        {...shared}
        title={lag}
        value={lagMsMax === null ? null : formatSpan(lagMsMax)}
        statistic="since a node's newest window"
        missing="nothing was sent yet"
      />
      <Tile {...shared} title={spools} value={formatBytes(spoolBytes)} statistic="wait on the nodes' disks" />
      <Tile
        {...shared}
        title={skew}
        value={skewMsMax === null ? null : formatSkew(skewMsMax).replace("+", "±")}
        statistic="of a node's clock"
        missing="no clock was compared yet"
        status={skewMsMax === null ? "unknown" : warnIf(skewMsMax > skewWarningMs)}
      />
      <Tile
        {...shared}
        title={refused}
        value={formatCount(refusedCount)}
        statistic="values, ever"
        status={warnIf(refusedCount > 0)}
      />
      <Tile
        {...shared}
        title={ingest}
        value={health.ingests.length === 0 ? null : formatCount(health.ingests.length)}
        unit={health.ingests.length === 1 ? "process" : "processes"}
        statistic={`${formatBytes(residentBytes)} of memory`}
        missing="no process is running"
        status={health.ingests.length === 0 ? "bad" : "good"}
      />
    </TileGrid>
  );
}
