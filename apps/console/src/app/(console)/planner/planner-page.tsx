"use client";
import type { Role } from "@stashlight/contracts/user/roles";
import { useIsClient } from "@stashlight/ui";
import { Skeleton } from "@stashlight/ui/feedback";
import { Page, PageHeader } from "@stashlight/ui/layout";
import { skipToken, useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryStates } from "nuqs";
import { lazy, type ReactNode, Suspense } from "react";
import { useTRPC } from "../../../client/trpc.tsx";
import { QueryError } from "../query-state.tsx";

// The formulas and all that shows them come beside the page.
const Planner = lazy(async () => ({ default: (await import("./planner.tsx")).Planner }));

const parsers = { scenario: parseAsString, compare: parseAsString };

/** The plan that the address names, or a new one. */
export function PlannerPage({ description, role }: { description: ReactNode; role: Role }) {
  const trpc = useTRPC();
  const isClient = useIsClient();
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
  // A field that somebody types into before the page is awake would lose it.
  const isWaiting = !isClient || (scenarioId !== null && scenario.data === undefined);
  return (
    <Suspense fallback={<Waiting description={description} />}>
      {isWaiting ? (
        <Waiting description={description} />
      ) : (
        <Planner
          key={scenarioId ?? "new"}
          description={description}
          role={role}
          scenario={scenarioId === null ? null : (scenario.data ?? null)}
        />
      )}
    </Suspense>
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
