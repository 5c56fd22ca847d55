"use client";
import type { Role } from "@stashlight/contracts/user";
import { lazyPart } from "@stashlight/ui";
import { Skeleton } from "@stashlight/ui/feedback";
import { Page, PageHeader } from "@stashlight/ui/layout";
import { skipToken, useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryStates } from "nuqs";
import type { ReactNode } from "react";
import { useTRPC } from "../../../client/trpc.tsx";
import { QueryError } from "../query-state.tsx";

// Loads the formulas and their display in parallel with the page.
const Planner = lazyPart(async () => (await import("./planner.tsx")).Planner);

const parsers = { scenario: parseAsString, compare: parseAsString };

/** The plan named in the page's address, or a new one. */
export function PlannerPage({ description, role }: { description: ReactNode; role: Role }) {
  const trpc = useTRPC();
  const [{ scenario: scenarioId }] = useQueryStates(parsers);
  const scenario = useQuery(
    trpc.planner.getScenario.queryOptions(scenarioId === null ? skipToken : { scenarioId }, {
      staleTime: Number.POSITIVE_INFINITY,
    }),
  );
  if (scenarioId !== null && scenario.isError) {
    return (
      <Page>
        <PageHeader title="Planner" />
        <QueryError what="The plan" error={scenario.error} onRetry={() => void scenario.refetch()} />
      </Page>
    );
  }
  const waiting = <Waiting description={description} />;
  if (scenarioId !== null && scenario.data === undefined) return waiting;
  return (
    <Planner
      key={scenarioId ?? "new"}
      description={description}
      role={role}
      scenario={scenarioId === null ? null : (scenario.data ?? null)}
      fallback={waiting}
    />
  );
}

function Waiting({ description }: { description: ReactNode }) {
  return (
    <Page>
      <PageHeader title="Planner" description={description} />
      <Skeleton height={720} />
    </Page>
  );
}
