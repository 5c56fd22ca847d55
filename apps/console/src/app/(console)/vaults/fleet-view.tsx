"use client";
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import type { NodeRow } from "@stashlight/contracts/node";
import { vaultSpace } from "@stashlight/contracts/space";
import { formatCount } from "@stashlight/ui";
import { Time } from "@stashlight/ui/data";
import { Section } from "@stashlight/ui/layout";
import { useQuery } from "@tanstack/react-query";
import { Server } from "lucide-react";
import { useMemo } from "react";
import { FIRING_REFETCH_MS } from "../../../client/firing-count.ts";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { useMetrics } from "../../../client/metrics/use-metrics.ts";
import { useScope } from "../../../client/metrics/use-scope.ts";
import { NextStep } from "../../../client/next-step.tsx";
import { useTRPC } from "../../../client/trpc.tsx";
import { UrlTable } from "../../../client/url-table.tsx";
import { useForecastAnswer } from "../../../client/use-forecasts.ts";
import { figureEndMs } from "../charts/figure.ts";
import { UploadPanels } from "../overview/upload-panels.tsx";
import { QueryError } from "../query-state.tsx";
import { Endpoints } from "./endpoints-section.tsx";
import { fleetColumns, judgeRow } from "./fleet-columns.tsx";
import { usePlaceHref } from "./use-place.ts";
import { conditionSelections, readCondition, worseFirst } from "./vault-condition.ts";
import { vaultRows } from "./vault-rows.ts";

const tableOptions = { columns: fleetColumns, defaultSort: { id: "problems", direction: "desc" } } as const;

/** Rows of the vaults in scope, worst first, and the answers that they are built from. */
function useFleetRows(nodes: readonly NodeRow[]) {
  const { asked } = useScope();
  const trpc = useTRPC();
  const figures = useMetrics(conditionSelections);
  const { forecasts, isWaiting } = useForecastAnswer();
  const firing = useQuery(
    trpc.alert.listFiring.queryOptions(undefined, { refetchInterval: FIRING_REFETCH_MS }),
  );
  const { nowMs, isLive } = usePageTime();
  const all = useMemo(() => vaultRows(nodes), [nodes]);
  const ordered = useMemo(
    () =>
      all
        .filter(({ vault }) => asked?.includes(vault) ?? true)
        .map((row) => ({
          ...row,
          condition: readCondition(row.vault, figures.answers ?? [], forecasts, firing.data ?? []),
        }))
        .sort(worseFirst),
    [all, asked, figures.answers, forecasts, firing.data],
  );
  const rows = useMemo(
    () => ordered.map((row) => judgeRow(row, { nowMs, isLive })),
    [ordered, isLive ? nowMs : null, isLive],
  );
  return { rows, hiddenCount: all.length - rows.length, figures, firing, isForecastAwaited: isWaiting };
}

/** Has a line from the start, because one that appears later would move the table. */
function FiguresDate({ answers }: { answers: readonly MetricAnswer[] | undefined }) {
  if (answers === undefined) return "The figures are being read.";
  const atMs = figureEndMs({ metrics: [vaultSpace.taken, vaultSpace.capacity] }, answers);
  if (atMs === null) return "No figures have been measured yet.";
  return (
    <>
      Figures as of <Time value={atMs} show="age" />.
    </>
  );
}

export function FleetView({ nodes }: { nodes: readonly NodeRow[] }) {
  const href = usePlaceHref();
  const { rows, hiddenCount, figures, firing, isForecastAwaited } = useFleetRows(nodes);
  // Waits for all three, because they decide the order and a later one would move rows.
  const isWaiting =
    isForecastAwaited ||
    (figures.answers === undefined && figures.error === null) ||
    (firing.data === undefined && !firing.isError);
  return (
    <>
      {figures.answers === undefined && figures.error !== null && (
        <QueryError what="The figures of the vaults" error={figures.error} onRetry={figures.retry} />
      )}
      {firing.data === undefined && firing.isError && (
        <QueryError what="The alerts" error={firing.error} onRetry={() => void firing.refetch()} />
      )}
      <Section
        title="Vaults in scope"
        description={
          <>
            <FiguresDate answers={figures.answers} />
            {hiddenCount > 0 && ` ${formatCount(hiddenCount)} more are outside the scope chosen above.`}
          </>
        }
      >
        <UrlTable
          label="Vaults"
          rows={rows}
          rowKey={({ vault }) => vault}
          rowHref={({ vault }) => href({ vault })}
          table={tableOptions}
          status={isWaiting ? "loading" : "ready"}
          skeletonRowCount={4}
          empty={
            <NextStep
              icon={<Server />}
              title="No enrolled nodes"
              step={{ label: "Nodes", href: "/admin/nodes" }}
            >
              Every node was revoked. A vault is listed while one of its nodes is enrolled.
            </NextStep>
          }
          exportName="vaults"
        />
      </Section>
      <Endpoints />
      <Section title={rows.length === 1 ? "Uploads" : "Uploads of all of them together"}>
        <UploadPanels />
      </Section>
    </>
  );
}
