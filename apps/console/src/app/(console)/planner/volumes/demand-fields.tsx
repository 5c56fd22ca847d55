"use client";
import { Skeleton } from "@stashlight/ui/feedback";
import { Field, TextArea, TextInput } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { Select } from "@stashlight/ui/select";
import { lazy, Suspense } from "react";
import type { MeasuredDemand } from "./measured.ts";
import { limitsChoices, type VolumeForm } from "./volume-form.ts";

const MeasuredFields = lazy(async () => ({
  default: (await import("./measured-fields.tsx")).MeasuredFields,
}));

export interface FormProps {
  readonly form: VolumeForm;
  readonly change: (part: Partial<VolumeForm>) => void;
  readonly errorOf: (field: string) => string | undefined;
}

interface DemandFieldsProps extends FormProps {
  readonly isCsvInAddress: boolean;
  readonly measured: MeasuredDemand | null;
  readonly onMeasured: (measured: MeasuredDemand | null) => void;
}

const kinds = [
  { value: "constant", label: "Constant" },
  { value: "csv", label: "A trace, pasted as CSV" },
  { value: "measured", label: "As measured in the fleet" },
] as const;
const patterns = [
  { value: "random", label: "Random", hint: "Each I/O counts as one at least" },
  { value: "sequential", label: "Sequential", hint: "Small I/Os are merged" },
] as const;
const unservedChoices = [
  { value: "queue", label: "Waits its turn" },
  { value: "drop", label: "Is given up" },
] as const;

export function DemandFields(props: DemandFieldsProps) {
  const { form, change, errorOf, isCsvInAddress, measured, onMeasured } = props;
  return (
    <Section title="Demand" card className="lg:sticky lg:top-4">
      <div className="flex flex-col gap-4">
        <Field label="What the volume is asked for">
          <Select options={kinds} value={form.demand} onValueChange={(demand) => change({ demand })} />
        </Field>
        {form.demand === "constant" && <ConstantFields form={form} change={change} errorOf={errorOf} />}
        {form.demand === "csv" && (
          <>
            <Field
              label="Trace"
              error={errorOf("csv")}
              hint={
                isCsvInAddress
                  ? "A line a step: seconds, IOPS, KiB of one I/O, % of reads. The last two may be left out."
                  : "This trace is too long for the page's address: a link to this page shows an example instead."
              }
            >
              <TextArea
                mono
                rows={8}
                spellCheck={false}
                value={form.csv}
                onChange={(event) => change({ csv: event.target.value })}
              />
            </Field>
            <SizeFields form={form} change={change} errorOf={errorOf} />
          </>
        )}
        {form.demand === "measured" && (
          <Suspense fallback={<Skeleton height={160} />}>
            <MeasuredFields measured={measured} onMeasured={onMeasured} />
          </Suspense>
        )}
        <Field label="Pattern">
          <Select options={patterns} value={form.pattern} onValueChange={(pattern) => change({ pattern })} />
        </Field>
        <Field label="What cannot be done at once">
          <Select
            options={unservedChoices}
            value={form.unserved}
            onValueChange={(unserved) => change({ unserved })}
          />
        </Field>
        <Field label="Data that must fit, GiB" error={errorOf("data")}>
          <Typed name="data" form={form} change={change} />
        </Field>
        <Field label="Limits and prices" hint="Prices of us-east-1, before taxes, without snapshots.">
          <Select
            options={limitsChoices}
            value={form.limits}
            onValueChange={(limits) => change({ limits })}
          />
        </Field>
      </div>
    </Section>
  );
}

type TextName = "iops" | "kib" | "reads" | "minutes" | "data";

function Typed({ name, form, change }: Pick<FormProps, "form" | "change"> & { name: TextName }) {
  return (
    <TextInput
      name={name}
      inputMode="decimal"
      autoComplete="off"
      value={form[name]}
      onChange={(event) => change({ [name]: event.target.value })}
    />
  );
}

function ConstantFields({ form, change, errorOf }: FormProps) {
  return (
    <>
      <div className="grid grid-cols-2 items-start gap-3">
        <Field label="I/Os a second" error={errorOf("iops")}>
          <Typed name="iops" form={form} change={change} />
        </Field>
        <Field label="For, minutes" error={errorOf("minutes")}>
          <Typed name="minutes" form={form} change={change} />
        </Field>
      </div>
      <SizeFields form={form} change={change} errorOf={errorOf} />
    </>
  );
}

function SizeFields({ form, change, errorOf }: FormProps) {
  return (
    <div className="grid grid-cols-2 items-start gap-3">
      <Field label="One I/O, KiB" error={errorOf("kib")}>
        <Typed name="kib" form={form} change={change} />
      </Field>
      <Field label="Reads, %" error={errorOf("reads")}>
        <Typed name="reads" form={form} change={change} />
      </Field>
    </div>
  );
}
