"use client";
import type { LiveVault } from "@stashlight/contracts/planner";
import { HOUR_MS } from "@stashlight/contracts/time";
import { formatDateTime, serverNow } from "@stashlight/ui";
import { Callout } from "@stashlight/ui/feedback";
import { Button, FormError } from "@stashlight/ui/form";
import { Select } from "@stashlight/ui/select";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Activity, Play } from "lucide-react";
import { useRouter } from "next/navigation";
import { useMemo, useState } from "react";
import { describeError } from "../../../client/errors.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { useForm } from "../../../client/use-form.ts";
import { saidOfLive } from "./live-note.ts";
import { checkScenarioForm, parseForm } from "./parse-scenario-form.ts";
import { FaultFields, LoadFields, VaultFields } from "./scenario-fields.tsx";
import { presets, scenarioFields, syncedDrives, withLiveVault } from "./scenario-form.ts";

/** Period of the live vault's history to read, long enough for percentiles of a small load. */
const LIVE_RANGE_MS = HOUR_MS;

export function ScenarioEditor({ mayStart }: { mayStart: boolean }) {
  const start = useStart();
  const trpc = useTRPC();
  const drives = useQuery(trpc.drive.list.queryOptions());
  const synced = useMemo(() => syncedDrives(drives.data ?? []), [drives.data]);
  const form = useForm({
    table: scenarioFields,
    problemsOf: checkScenarioForm,
    send: async (typed) => {
      const { asked } = parseForm(typed, synced);
      if (asked !== null) await start.mutateAsync(asked);
    },
  });
  const live = useLiveVault((answer) => form.change(withLiveVault(form.typed, answer)));
  return (
    <form aria-label="Scenario" onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <div className="w-72 max-w-full">
          <Select
            aria-label="Preset"
            placeholder="Choose a preset"
            options={presets.map(({ id, label }) => ({ value: id, label }))}
            onValueChange={(id) => form.change(presets.find((preset) => preset.id === id)?.changes ?? {})}
          />
        </div>
        <Button
          icon={<Activity aria-hidden="true" />}
          pending={live.isPending}
          onClick={() => live.read()}
          title="Arrival rate, sizes, drives, network and processor time of the last hour"
        >
          Take figures from the live vault
        </Button>
      </div>
      <LiveNote live={form.typed.live} failure={live.failure} />
      <div className="grid gap-6 lg:grid-cols-3">
        <LoadFields form={form} />
        <VaultFields form={form} synced={synced} />
        <FaultFields form={form} />
      </div>
      <FormError>{form.formError}</FormError>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          type="submit"
          variant="primary"
          icon={<Play aria-hidden="true" />}
          pending={form.isPending}
          disabled={!mayStart}
        >
          Start simulation
        </Button>
        {!mayStart && <p className="text-muted">You need the operator role to start a simulation.</p>}
      </div>
    </form>
  );
}

function useStart() {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.simulation.start.mutationOptions({
      onSuccess: ({ simulationId }) => {
        void queryClient.invalidateQueries({ queryKey: trpc.simulation.list.queryKey() });
        router.push(`/simulator/${simulationId}`);
      },
    }),
  );
}

function useLiveVault(onRead: (answer: LiveVault) => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const read = async () => {
    setPending(true);
    setFailure(null);
    try {
      const toMs = serverNow();
      const input = { fromMs: toMs - LIVE_RANGE_MS, toMs };
      const answer = await queryClient.fetchQuery(trpc.simulation.liveVault.queryOptions(input));
      if (answer.uploads === null) {
        setFailure(
          "The stash measured no upload in the last hour. Start the demo load, or enter the figures by hand.",
        );
        return;
      }
      onRead(answer);
      toast({ title: "Figures taken from the live vault", status: "good" });
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setPending(false);
    }
  };
  return { isPending, failure, read: () => void read() };
}

function LiveNote({ live, failure }: { live: LiveVault | null; failure: string | null }) {
  if (failure !== null) return <Callout status="warning">{failure}</Callout>;
  if (!live?.uploads) return null;
  const { modelled } = live.uploads;
  return (
    <Callout
      status="info"
      title={`Measured on the live vault from ${formatDateTime(live.fromMs)} to ${formatDateTime(live.toMs)}`}
    >
      <ul className="list-disc pl-5">
        {saidOfLive(live).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {modelled.length > 0 && <p>Its drives are modelled: {modelled.join(", ")}.</p>}
      <p>
        The result is compared with the p50 and p99 of these uploads. Empty fields of messages, processor time
        and shared delays use the measured values.
      </p>
    </Callout>
  );
}
