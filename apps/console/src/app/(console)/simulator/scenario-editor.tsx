"use client";
import { formatDateTime } from "@stashlight/ui";
import { Callout } from "@stashlight/ui/feedback";
import { Button, FormError } from "@stashlight/ui/form";
import { Select } from "@stashlight/ui/select";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Activity, Play } from "lucide-react";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { describeError, toProblem } from "../../../client/errors.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { saidOfLive } from "./live-note.ts";
import { FaultFields, LoadFields, VaultFields } from "./scenario-fields.tsx";
import {
  fieldOf,
  parseForm,
  presets,
  type ScenarioField,
  type ScenarioForm,
  steadyDay,
  withLiveVault,
} from "./scenario-form.ts";

/** Of the live vault, as long as percentiles of a small load need. */
const LIVE_RANGE_MS = 3_600_000;

export function ScenarioEditor({ mayStart }: { mayStart: boolean }) {
  const [form, setForm] = useState<ScenarioForm>(steadyDay);
  const [unread, setUnread] = useState<{ field: ScenarioField; message: string } | null>(null);
  const start = useStart();
  const live = useLiveVault((answer) => setForm((before) => withLiveVault(before, answer)));
  const refused = start.error === null ? null : toProblem(start.error);
  const refusedField = fieldOf(refused?.field ?? null);
  const change = (changes: Partial<ScenarioForm>) => {
    setForm((before) => ({ ...before, ...changes }));
    setUnread(null);
    start.reset();
  };
  const errorOf = (field: ScenarioField) =>
    unread?.field === field ? unread.message : refusedField === field ? refused?.message : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { asked, problem } = parseForm(form);
    setUnread(problem);
    if (asked !== null) start.mutate(asked);
  };
  return (
    <form aria-label="Scenario" onSubmit={submit} noValidate className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <div className="w-72 max-w-full">
          <Select
            aria-label="Preset"
            placeholder="Choose a preset"
            options={presets.map(({ id, label }) => ({ value: id, label }))}
            onValueChange={(id) => change(presets.find((preset) => preset.id === id)?.changes ?? {})}
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
      <LiveNote form={form} failure={live.failure} />
      <div className="grid gap-6 lg:grid-cols-3">
        <LoadFields form={form} onChange={change} errorOf={errorOf} />
        <VaultFields form={form} onChange={change} errorOf={errorOf} />
        <FaultFields form={form} onChange={change} errorOf={errorOf} />
      </div>
      {refused !== null && refusedField === null && <FormError>{refused.message}</FormError>}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          type="submit"
          variant="primary"
          icon={<Play aria-hidden="true" />}
          pending={start.isPending}
          disabled={!mayStart}
        >
          Start simulation
        </Button>
        {!mayStart && <p className="text-muted">You need the role operator to start one.</p>}
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

type LiveVaultAnswer = Parameters<typeof withLiveVault>[1];

function useLiveVault(onRead: (answer: LiveVaultAnswer) => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const read = async () => {
    setPending(true);
    setFailure(null);
    try {
      const toMs = Date.now();
      const input = { fromMs: toMs - LIVE_RANGE_MS, toMs };
      const answer = await queryClient.fetchQuery(trpc.simulation.liveVault.queryOptions(input));
      if (answer.uploads === null) {
        setFailure(
          "No upload was measured by the stash in the last hour; start the demo load, or write the figures by hand.",
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

function LiveNote({ form, failure }: { form: ScenarioForm; failure: string | null }) {
  if (failure !== null) return <Callout status="warning">{failure}</Callout>;
  const { live } = form;
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
        The result is held against the p50 and p99 of these uploads. Empty fields of messages, processor time
        and likeness stand for what was measured.
      </p>
    </Callout>
  );
}
