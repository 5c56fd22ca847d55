"use client";
import { processStaleSeconds, type SystemHealth } from "@stashlight/contracts/health";
import { CopyableId, DefinitionList, Time } from "@stashlight/ui/data";
import { Callout, Skeleton } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { Page, PageHeader, Section } from "@stashlight/ui/layout";
import { useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useState } from "react";
import { describeError } from "../../../client/errors.ts";
import { worstFirst } from "../../../client/health-checks.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { QueryError } from "../query-state.tsx";
import { Checks } from "./checks.tsx";
import { Outgrown } from "./outgrown.tsx";
import { Processes } from "./processes.tsx";

const refetchMs = 5_000;

export function HealthPage() {
  const trpc = useTRPC();
  const health = useQuery(trpc.health.read.queryOptions(undefined, { refetchInterval: refetchMs }));
  // Only a press animates the button: polling every ten seconds would make it flicker.
  const [isRefreshing, setIsRefreshing] = useState(false);
  const refresh = async () => {
    setIsRefreshing(true);
    await health.refetch();
    setIsRefreshing(false);
  };
  const hasFailed = health.isError && health.data === undefined;
  return (
    <Page>
      <PageHeader
        title="System health"
        description="The health of Stashlight itself, problems first."
        meta={
          health.data !== undefined && (
            <span className="text-sm text-faint tabular-nums">
              read <Time value={health.dataUpdatedAt} show="age" />
            </span>
          )
        }
        action={
          <Button variant="primary" icon={<RotateCw />} pending={isRefreshing} onClick={() => void refresh()}>
            Refresh
          </Button>
        }
      />
      {hasFailed ? (
        <QueryError
          what="The state of the installation"
          error={health.error}
          onRetry={() => void health.refetch()}
        />
      ) : (
        <>
          {health.isError && (
            <Callout status="warning" title="Out of date: the last reading failed">
              {describeError(health.error)}
            </Callout>
          )}
          <Section title="Checks">
            {health.data === undefined ? (
              <Skeleton height={0} className="min-h-[674px] sm:min-h-[540px] lg:min-h-[325px]" />
            ) : (
              <Checks checks={worstFirst(health.data.checks)} />
            )}
          </Section>
          <Section
            title="Processes"
            description={`Processes that reported in the ${processStaleSeconds} s before this page was read.`}
          >
            <Processes processes={health.data?.processes} />
          </Section>
          <Outgrown />
          <Section title="Versions" card>
            {health.data === undefined ? (
              <Skeleton height={131} />
            ) : (
              <Versions versions={health.data.versions} />
            )}
          </Section>
        </>
      )}
    </Page>
  );
}

function Versions({ versions }: { versions: SystemHealth["versions"] }) {
  return (
    <DefinitionList
      items={[
        {
          term: "Stashlight",
          value: <CopyableId value={versions.stashlight} label="version of Stashlight" />,
        },
        { term: "Node", value: <CopyableId value={versions.node} label="version of Node" /> },
        { term: "Postgres", value: <CopyableId value={versions.postgres} label="version of Postgres" /> },
        {
          term: "Database schema",
          value: <CopyableId value={versions.schema} label="version of the schema" />,
        },
      ]}
    />
  );
}
