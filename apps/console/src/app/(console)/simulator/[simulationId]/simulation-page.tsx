"use client";
import type { ApiOutputs } from "@stashlight/api";
import { type Role, roleIncludes } from "@stashlight/contracts/user";
import { formatCount, formatSpan } from "@stashlight/ui";
import { Callout, ProgressBar, Skeleton } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { Page, PageHeader, Section } from "@stashlight/ui/layout";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { describeError } from "../../../../client/errors.ts";
import { usePageTitle } from "../../../../client/page-title.ts";
import { formatPeriod } from "../../../../client/period.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { QueryError } from "../../query-state.tsx";
import { isUnderWay, stateWord } from "../states.ts";
import { Results } from "./results.tsx";

type Simulation = ApiOutputs["simulation"]["get"];

const busyRefetchMs = 1_000;

export function SimulationPage({ simulationId, role }: { simulationId: string; role: Role }) {
  const trpc = useTRPC();
  const simulation = useQuery(
    trpc.simulation.get.queryOptions(
      { simulationId },
      { refetchInterval: ({ state: { data } }) => (data && isUnderWay(data.state) ? busyRefetchMs : false) },
    ),
  );
  const { data } = simulation;
  usePageTitle(data?.name ?? null);
  return (
    <Page>
      <PageHeader
        title={data?.name ?? "Simulation"}
        description={data === undefined ? "Simulated." : describe(data)}
        {...(data !== undefined && roleIncludes(role, "operator")
          ? { action: <Actions simulation={data} /> }
          : {})}
      />
      {data === undefined && simulation.isError && (
        <QueryError
          what="The simulation"
          error={simulation.error}
          onRetry={() => void simulation.refetch()}
        />
      )}
      {simulation.isPending && <Skeleton height={480} />}
      {data !== undefined && <State simulation={data} />}
      {data?.result && <Results simulation={data} result={data.result} />}
    </Page>
  );
}

function describe({ seed, version, requestedByName, scenario }: Simulation): string {
  const by = version === null ? "" : `, by version ${version}`;
  return `Simulated, not measured: ${formatPeriod(scenario.durationSeconds * 1000)} of a vault from seed ${seed}${by}. Requested by ${requestedByName}.`;
}

function State({ simulation }: { simulation: Simulation }) {
  const { state, progress, outcome, isCancelRequested } = simulation;
  if (isUnderWay(state)) {
    return (
      <Section title={isCancelRequested ? "Ending" : stateWord[state]}>
        <ProgressBar
          label={state === "queued" ? "Waiting for a worker" : "Running protocol events"}
          value={progress?.share ?? null}
          {...(progress === null ? {} : { detail: formatProgress(progress) })}
        />
      </Section>
    );
  }
  if (state === "succeeded") return null;
  return (
    <Callout status={state === "failed" ? "bad" : "unknown"} title={stateWord[state]}>
      {outcome}
    </Callout>
  );
}

function formatProgress({ share, secondsLeft, eventCount }: NonNullable<Simulation["progress"]>): string {
  const left = secondsLeft === null ? "" : `, about ${formatSpan(Math.ceil(secondsLeft) * 1000)} left`;
  return `${Math.round(share * 100)} %, ${formatCount(eventCount)} events${left}`;
}

function Actions({ simulation }: { simulation: Simulation }) {
  const { simulationId, state, isCancelRequested } = simulation;
  const trpc = useTRPC();
  const router = useRouter();
  const toast = useToast();
  const queryClient = useQueryClient();
  const onError = (error: unknown) => toast({ title: describeError(error), status: "bad" });
  const refresh = () =>
    void queryClient.invalidateQueries({ queryKey: trpc.simulation.get.queryKey({ simulationId }) });
  const cancel = useMutation(trpc.simulation.cancel.mutationOptions({ onSuccess: refresh, onError }));
  const remove = useMutation(
    trpc.simulation.delete.mutationOptions({
      onSuccess: () => {
        void queryClient.invalidateQueries({ queryKey: trpc.simulation.list.queryKey() });
        router.push("/simulator");
      },
      onError,
    }),
  );
  if (isUnderWay(state)) {
    return (
      <Button
        pending={cancel.isPending}
        disabled={isCancelRequested}
        onClick={() => cancel.mutate({ simulationId })}
      >
        Cancel simulation
      </Button>
    );
  }
  return (
    <Button pending={remove.isPending} onClick={() => remove.mutate({ simulationId })}>
      Delete simulation
    </Button>
  );
}
