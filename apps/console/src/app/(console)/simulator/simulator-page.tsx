"use client";
import type { SimulationRow } from "@stashlight/contracts/planner";
import { type Role, roleIncludes } from "@stashlight/contracts/user";
import { formatSpan, lazyPart, UiLink } from "@stashlight/ui";
import { numberColumn, textColumn, timeColumn } from "@stashlight/ui/columns";
import { EmptyState, Skeleton, StatusDot } from "@stashlight/ui/feedback";
import { Page, PageHeader, Section } from "@stashlight/ui/layout";
import type { Column } from "@stashlight/ui/table-state";
import { useQuery } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import type { ReactNode } from "react";
import { useTRPC } from "../../../client/trpc.tsx";
import { QueryTable } from "../query-table.tsx";
import { isUnderWay, stateStatus, stateWord } from "./states.ts";

const ScenarioEditor = lazyPart(async () => (await import("./scenario-editor.tsx")).ScenarioEditor);

const busyRefetchMs = 1_000;
const idleRefetchMs = 15_000;

const columns: Column<SimulationRow>[] = [
  textColumn("name", "Simulation", ({ name }) => name, {
    cell: ({ name, simulationId }) => <UiLink href={`/simulator/${simulationId}`}>{name}</UiLink>,
  }),
  textColumn("state", "State", ({ state }) => stateWord[state], {
    cell: ({ state, progress }) => (
      <StatusDot
        status={stateStatus[state]}
        label={state === "running" ? `${Math.round((progress?.share ?? 0) * 100)} %` : stateWord[state]}
      />
    ),
  }),
  timeColumn("created", "Requested", ({ createdAt }) => createdAt),
  { id: "by", header: "Requested by", value: ({ requestedByName }) => requestedByName },
  numberColumn("took", "Duration", (row) => tookMs(row) ?? undefined, {
    cell: (row) => {
      const ms = tookMs(row);
      return ms === null ? "–" : formatSpan(ms);
    },
  }),
  { id: "seed", header: "Seed", numeric: true, value: ({ seed }) => seed },
  { id: "version", header: "Version", hiddenAtFirst: true, value: ({ version }) => version ?? "–" },
  { id: "outcome", header: "Outcome", value: ({ outcome }) => outcome ?? "" },
];

const tookMs = ({ startedAt, finishedAt }: SimulationRow): number | null =>
  startedAt === null || finishedAt === null ? null : finishedAt.getTime() - startedAt.getTime();

const tableOptions = { columns, defaultSort: { id: "created", direction: "desc" } } as const;

export function SimulatorPage({ description, role }: { description: ReactNode; role: Role }) {
  const trpc = useTRPC();
  const simulations = useQuery(
    trpc.simulation.list.queryOptions(undefined, {
      refetchInterval: ({ state: { data } }) =>
        data?.some((row) => isUnderWay(row.state)) ? busyRefetchMs : idleRefetchMs,
    }),
  );
  return (
    <Page>
      <PageHeader title="Simulator" description={description} />
      <Section title="Scenario">
        <ScenarioEditor mayStart={roleIncludes(role, "operator")} fallback={<Skeleton height={640} />} />
      </Section>
      <Section title="Runs" description="The newest 200 are kept.">
        <QueryTable
          label="Simulations"
          rows={simulations.data ?? []}
          rowKey={({ simulationId }) => simulationId}
          table={tableOptions}
          query={simulations}
          what="The simulations"
          empty={
            <EmptyState icon={<FlaskConical />} title="No simulations yet">
              Choose a scenario above and start it; its progress and its result are listed here.
            </EmptyState>
          }
          exportName="simulations"
          skeletonRowCount={4}
        />
      </Section>
    </Page>
  );
}
