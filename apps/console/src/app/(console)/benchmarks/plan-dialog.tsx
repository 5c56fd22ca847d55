"use client";
import type { BenchmarkMethodRow, BenchmarkPlanRow, BenchmarkVantage } from "@stashlight/contracts/benchmark";
import type { DriveRow } from "@stashlight/contracts/disk";
import type { EndpointRow } from "@stashlight/contracts/endpoint";
import { chosenTimeZone } from "@stashlight/ui";
import { Dialog } from "@stashlight/ui/dialog";
import { Skeleton } from "@stashlight/ui/feedback";
import { Advanced, Button, FormError, FormSection } from "@stashlight/ui/form";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { describeError } from "../../../client/errors.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { useForm } from "../../../client/use-form.ts";
import { MethodFields, ParameterFields } from "./method-fields.tsx";
import { LimitFields, SubjectFields, TimeFields } from "./plan-fields.tsx";
import {
  checkPlanForm,
  emptyForm,
  fieldAt,
  type PlanForm,
  type PlanStart,
  planFields,
  toPlan,
  toPlanForm,
} from "./plan-form.ts";
import { PlanPreview } from "./plan-preview.tsx";
import { usePreview } from "./use-preview.ts";

interface PlanDialogProps {
  /** Null for a new schedule. */
  plan: BenchmarkPlanRow | null;
  /** Initial values of a new schedule. */
  start?: PlanStart;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function PlanDialog({ plan, start, open, onOpenChange }: PlanDialogProps) {
  const trpc = useTRPC();
  const formId = useId();
  const methods = useQuery(trpc.benchmarkPlan.listMethods.queryOptions());
  const endpoints = useQuery(trpc.endpoint.list.queryOptions());
  const drives = useQuery(trpc.drive.list.queryOptions());
  const vantages = useQuery(trpc.benchmarkPlan.listVantages.queryOptions());
  const [isPending, setPending] = useState(false);
  const failure = methods.error ?? endpoints.error ?? drives.error ?? vantages.error;
  const isLoaded =
    methods.data !== undefined &&
    endpoints.data !== undefined &&
    drives.data !== undefined &&
    vantages.data !== undefined;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title={plan === null ? "New schedule" : `Edit ${plan.name}`}
      description="What to measure, how, and when."
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" pending={isPending} disabled={!isLoaded}>
            {plan === null ? "Create schedule" : "Save schedule"}
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
          start={start ?? null}
          methods={methods.data}
          endpoints={endpoints.data}
          drives={drives.data}
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
  start: PlanStart | null;
  methods: readonly BenchmarkMethodRow[];
  endpoints: readonly EndpointRow[];
  drives: readonly DriveRow[];
  vantages: readonly BenchmarkVantage[];
  setPending: (isPending: boolean) => void;
  onDone: () => void;
}

/** Names an unnamed comparison after its endpoints. */
function named(start: PlanStart | null, endpoints: readonly EndpointRow[]): PlanStart | null {
  if (start === null || start.name !== "") return start;
  const names = start.endpointIds.flatMap((id) => endpoints.find((each) => each.id === id)?.name ?? []);
  return { ...start, name: names.join(" against ") };
}

const ownTimeZone = () => chosenTimeZone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

function PlanEditor({ methods, ...props }: PlanEditorProps) {
  const { plan, start } = props;
  const [initial] = useState(() =>
    plan === null
      ? emptyForm(methods, ownTimeZone(), named(start, props.endpoints))
      : toPlanForm(plan, methods),
  );
  if (methods[0] === undefined) return <FormError>No benchmark method is available.</FormError>;
  return <PlanEditorForm {...props} methods={methods} initial={initial} firstMethod={methods[0]} />;
}

/** Fields outside the Advanced section; an error in any other field opens that section. */
const plainFields: ReadonlySet<string> = new Set(["name", "description", "endpointIds", "cron", "timeZone"]);
const isAdvanced = (field: string): boolean => !plainFields.has(field);

interface PlanEditorFormProps extends PlanEditorProps {
  initial: PlanForm;
  firstMethod: BenchmarkMethodRow;
}

function PlanEditorForm(props: PlanEditorFormProps) {
  const { formId, plan, methods, endpoints, drives, vantages, initial, firstMethod, setPending, onDone } =
    props;
  const findMethod = ({ methodName }: PlanForm) =>
    methods.find(({ name }) => name === methodName) ?? firstMethod;
  const save = useSave(plan, onDone);
  const form = useForm({
    table: planFields,
    initial,
    isLive: true,
    problemsOf: (typed) => checkPlanForm(typed, findMethod(typed)),
    fieldAt,
    send: async (typed) => {
      setPending(true);
      await save(toPlan(typed, findMethod(typed)).plan).finally(() => setPending(false));
    },
  });
  const method = findMethod(form.typed);
  const written = toPlan(form.typed, method);
  const preview = usePreview(written, method);
  const costPerSlotMax = "costPerSlotMax" in written.problems ? null : written.plan.costPerSlotMax;
  return (
    <form id={formId} onSubmit={form.onSubmit} noValidate className="flex flex-col gap-5">
      <FormSection title="What is measured">
        <SubjectFields form={form} endpoints={endpoints} drives={drives} />
      </FormSection>
      <FormSection title="How and when">
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <MethodFields form={form} methods={methods} method={method} />
          <TimeFields form={form} />
        </div>
      </FormSection>
      <Advanced hasError={Object.keys(written.problems).some(isAdvanced)}>
        <FormSection title="Parameters">
          <ParameterFields form={form} method={method} />
        </FormSection>
        <FormSection title="Delays and limits">
          <LimitFields form={form} vantages={vantages} />
        </FormSection>
      </Advanced>
      <PlanPreview
        preview={preview}
        costPerSlotMax={costPerSlotMax}
        budgetPerMonth={"budget" in written.problems ? null : written.plan.budgetPerMonth}
        isOfDrives={method.measures === "drives"}
      />
      <FormError>{form.formError}</FormError>
    </form>
  );
}

function useSave(plan: BenchmarkPlanRow | null, onDone: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const create = useMutation(trpc.benchmarkPlan.create.mutationOptions());
  const update = useMutation(trpc.benchmarkPlan.update.mutationOptions());
  return async (input: ReturnType<typeof toPlan>["plan"]) => {
    if (plan === null) await create.mutateAsync(input);
    else await update.mutateAsync({ planId: plan.id, ...input });
    await queryClient.invalidateQueries(trpc.benchmarkPlan.pathFilter());
    toast({
      title: plan === null ? "Schedule created" : "Schedule changed",
      description: input.name,
      status: "good",
    });
    onDone();
  };
}
