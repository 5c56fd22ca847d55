"use client";
import { lazyPart } from "@stashlight/ui";
import { Skeleton } from "@stashlight/ui/feedback";
import { FieldView } from "@stashlight/ui/fields";
import { Section } from "@stashlight/ui/layout";
import type { ReactNode } from "react";
import type { MeasuredDemand } from "./measured.ts";
import { type VolumeForm, volumeFields } from "./volume-form.ts";

const MeasuredFields = lazyPart(async () => (await import("./measured-fields.tsx")).MeasuredFields);

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

/** A field of this page; the address holds its value rather than a form. */
function VolumeField({
  name,
  form,
  change,
  errorOf,
  help,
}: FormProps & { name: keyof VolumeForm; help?: string }) {
  return (
    <FieldView
      name={name}
      spec={volumeFields.specs[name]}
      value={form[name]}
      onChange={(value) => change({ [name]: value })}
      error={errorOf(name)}
      help={help}
    />
  );
}

export function DemandFields({ isCsvInAddress, measured, onMeasured, ...form }: DemandFieldsProps) {
  const { demand } = form.form;
  return (
    <Section title="Demand" card className="lg:sticky lg:top-4">
      <div className="flex flex-col gap-4">
        <VolumeField {...form} name="demand" />
        {demand === "constant" && (
          <Pair>
            <VolumeField {...form} name="iops" />
            <VolumeField {...form} name="minutes" />
          </Pair>
        )}
        {demand === "csv" && (
          <VolumeField
            {...form}
            name="csv"
            help={
              isCsvInAddress
                ? "One step per line: seconds, IOPS, KiB per I/O, % of reads. The last two may be left out."
                : "This trace is too long for the page's address: a link to this page shows an example instead."
            }
          />
        )}
        {demand !== "measured" && (
          <Pair>
            <VolumeField {...form} name="kib" />
            <VolumeField {...form} name="reads" />
          </Pair>
        )}
        {demand === "measured" && (
          <MeasuredFields measured={measured} onMeasured={onMeasured} fallback={<Skeleton height={160} />} />
        )}
        <VolumeField {...form} name="pattern" />
        <VolumeField {...form} name="unserved" />
        <VolumeField {...form} name="data" />
        <VolumeField {...form} name="limits" />
      </div>
    </Section>
  );
}

const Pair = ({ children }: { children: ReactNode }) => (
  <div className="grid grid-cols-2 items-start gap-3">{children}</div>
);
