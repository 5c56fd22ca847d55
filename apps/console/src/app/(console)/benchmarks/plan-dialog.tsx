"use client";
import type {
  BenchmarkMethodRow,
  BenchmarkPlanRow,
  BenchmarkVantage,
  EndpointRow,
} from "@stashlight/contracts";
import { Dialog } from "@stashlight/ui/dialog";
import { Skeleton } from "@stashlight/ui/feedback";
import { Button, FormError } from "@stashlight/ui/form";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { describeError, toProblem } from "../../../client/errors.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { MethodFields } from "./method-fields.tsx";
import { LimitFields, SubjectFields, TimeFields } from "./plan-fields.tsx";
import { emptyForm, formOf, planOf } from "./plan-form.ts";
import { PlanPreview } from "./plan-preview.tsx";
import { usePreview } from "./use-preview.ts";

interface PlanDialogProps {
  /** Null: a new one. */
  plan: BenchmarkPlanRow | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function PlanDialog({ plan, open, onOpenChange }: PlanDialogProps) {
  const trpc = useTRPC();
  const formId = useId();
  const methods = useQuery(trpc.benchmarkPlan.listMethods.queryOptions());
  const endpoints = useQuery(trpc.endpoint.list.queryOptions());
  const vantages = useQuery(trpc.benchmarkPlan.listVantages.queryOptions());
  const [isPending, setPending] = useState(false);
  const failure = methods.error ?? endpoints.error ?? vantages.error;
  const isLoaded = methods.data !== undefined && endpoints.data !== undefined && vantages.data !== undefined;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title={plan === null ? "New plan" : `Edit ${plan.name}`}
      description="What is measured, how, and when."
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" pending={isPending} disabled={!isLoaded}>
            {plan === null ? "Make plan" : "Save plan"}
          </Button>
        </>
      }
    >
      {failure !== null && <FormError>{describeError(failure)}</FormError>}
      {!isLoaded && failure === null && <Skeleton height={480} />}
      {isLoaded && (
        <PlanEditor
          formId={formId}
          plan={plan}
          methods={methods.data}
          endpoints={endpoints.data}
          vantages={vantages.data}
          setPending={setPending}
          onDone={() => onOpenChange(false)}
        />
      )}
    </Dialog>
  );
}

interface PlanEditorProps {
  formId: string;
  plan: BenchmarkPlanRow | null;
  methods: readonly BenchmarkMethodRow[];
  endpoints: readonly EndpointRow[];
  vantages: readonly BenchmarkVantage[];
  setPending: (isPending: boolean) => void;
  onDone: () => void;
}

const ownTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const fields = [
  "name",
  "endpointIds",
  "cron",
  "timeZone",
  "jitterSeconds",
  "vantageNodeId",
  "budgetPerMonth",
];

function PlanEditor({ formId, plan, methods, endpoints, vantages, setPending, onDone }: PlanEditorProps) {
  const [form, setForm] = useState(() =>
    plan === null ? emptyForm(methods, ownTimeZone()) : formOf(plan, methods),
  );
  const save = useSave(plan, onDone);
  const method = methods.find(({ name }) => name === form.methodName) ?? methods[0];
  if (method === undefined) return <FormError>There is no method to measure with.</FormError>;
  const parsed = planOf(form, method);
  const preview = usePreview(parsed, method);
  const problem = save.error === null ? null : toProblem(save.error);
  const ofServer = problem?.field?.replace(/^parameters\.(\w+).*$/, "$1") ?? null;
  const isInPlace = ofServer !== null && (fields.includes(ofServer) || ofServer in form.typed);
  const errorOf = (field: string) =>
    parsed.problems[field] ?? (ofServer === field ? problem?.message : undefined);
  const change = (part: Partial<typeof form>) => setForm((current) => ({ ...current, ...part }));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending || Object.keys(parsed.problems).length > 0) return;
    setPending(true);
    await save.run(parsed.plan).finally(() => setPending(false));
  };
  return (
    <form id={formId} onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-5">
      <SubjectFields form={form} change={change} errorOf={errorOf} endpoints={endpoints} />
      <TimeFields form={form} change={change} errorOf={errorOf} />
      <MethodFields form={form} setForm={setForm} methods={methods} method={method} errorOf={errorOf} />
      <LimitFields form={form} change={change} errorOf={errorOf} vantages={vantages} />
      <PlanPreview preview={preview} />
      <FormError>{isInPlace ? null : problem?.message}</FormError>
    </form>
  );
}

function useSave(plan: BenchmarkPlanRow | null, onDone: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const create = useMutation(trpc.benchmarkPlan.create.mutationOptions());
  const update = useMutation(trpc.benchmarkPlan.update.mutationOptions());
  const { error, isPending } = plan === null ? create : update;
  const run = async (input: ReturnType<typeof planOf>["plan"]) => {
    try {
      if (plan === null) await create.mutateAsync(input);
      else await update.mutateAsync({ planId: plan.id, ...input });
    } catch {
      // The form shows the mutation's error.
      return;
    }
    await queryClient.invalidateQueries(trpc.benchmarkPlan.pathFilter());
    toast({ title: plan === null ? "Plan made" : "Plan changed", description: input.name, status: "good" });
    onDone();
  };
  return { error, isPending, run };
}
