"use client";
import { compareVolumes, usEastPrices } from "@stashlight/devices/ebs";
import { useDeferredValue, useMemo, useState } from "react";
import { Comparison } from "./comparison.tsx";
import { DemandFields } from "./demand-fields.tsx";
import type { MeasuredDemand } from "./measured.ts";
import { useVolumeForm } from "./use-volume-form.ts";
import { answerVolume } from "./volume-answer.ts";
import { VolumeChoices } from "./volume-choices.tsx";
import { readForm } from "./volume-form.ts";

/** The form and its answers, computed while the user types. */
export function VolumesBody() {
  const { form, change, isCsvInAddress } = useVolumeForm();
  const [measured, setMeasured] = useState<MeasuredDemand | null>(null);
  const steps = measured?.steps ?? null;
  const text = JSON.stringify(form);
  // The form is text, so equal text means an equal question.
  const read = useMemo(() => readForm(form, steps), [text, steps]);
  const asked = useDeferredValue(read);
  const { demand, at, volumes, sizeGiBMin } = asked;
  const answers = useMemo(
    () =>
      volumes.map((volume) =>
        volume === null || demand === null
          ? null
          : answerVolume(volume, demand, at, { whenThrottled: form.unserved }),
      ),
    [asked, form.unserved],
  );
  const comparison = useMemo(
    () =>
      demand === null || sizeGiBMin === null
        ? null
        : compareVolumes(demand, { at, prices: usEastPrices, sizeGiBMin }),
    [asked],
  );
  const fieldError = (field: string) => read.problems.find((problem) => problem.field === field)?.message;
  return (
    <div className="grid items-start gap-x-6 gap-y-8 lg:grid-cols-[minmax(280px,340px)_1fr]">
      <DemandFields
        form={form}
        change={change}
        errorOf={fieldError}
        isCsvInAddress={isCsvInAddress}
        measured={measured}
        onMeasured={setMeasured}
      />
      <div className="flex min-w-0 flex-col gap-8">
        <Comparison comparison={comparison} form={form} change={change} />
        <VolumeChoices form={form} change={change} errorOf={fieldError} answers={answers} />
      </div>
    </div>
  );
}
