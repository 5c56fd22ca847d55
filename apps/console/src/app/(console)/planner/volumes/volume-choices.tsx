"use client";
import { type EbsType, ebsTypeNames, ebsTypes } from "@stashlight/devices/ebs";
import { EmptyState } from "@stashlight/ui/feedback";
import { Button, Field, TextInput } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { Select } from "@stashlight/ui/select";
import { HardDrive, Plus, X } from "lucide-react";
import type { FormProps } from "./demand-fields.tsx";
import type { VolumeAnswer } from "./volume-answer.ts";
import {
  readVolumes,
  type TypedVolume,
  takesIops,
  takesThroughput,
  usualVolume,
  VOLUMES_MAX,
  writeVolumes,
} from "./volume-form.ts";
import { VolumeResult } from "./volume-result.tsx";

const typeOptions = ebsTypes.map((type) => ({ value: type, label: ebsTypeNames[type] }));

interface VolumeChoicesProps extends FormProps {
  /** One entry per volume; null if the volume or the demand is invalid. */
  readonly answers: readonly (VolumeAnswer | null)[];
}

/** Compares volumes under one demand. */
export function VolumeChoices({ form, change, errorOf, answers }: VolumeChoicesProps) {
  const volumes = readVolumes(form.volumes);
  const write = (next: readonly TypedVolume[]) => change({ volumes: writeVolumes(next) });
  return (
    <Section
      title="Volumes side by side"
      actions={
        <Button
          size="sm"
          icon={<Plus aria-hidden="true" />}
          disabled={volumes.length >= VOLUMES_MAX}
          onClick={() => write([...volumes, usualVolume("gp3")])}
        >
          Add a volume
        </Button>
      }
    >
      {volumes.length === 0 && (
        <EmptyState icon={<HardDrive />} title="No volumes chosen">
          Add a volume to see how it handles the demand.
        </EmptyState>
      )}
      <div className="grid items-start gap-4 min-[1400px]:grid-cols-2">
        {volumes.map((typed, index) => (
          <article
            key={index}
            aria-label={`Volume ${index + 1}`}
            className="flex min-w-0 flex-col gap-4 rounded-md border border-line bg-surface p-4"
          >
            <VolumeFields
              typed={typed}
              index={index}
              errorOf={errorOf}
              onChange={(next) => write(volumes.with(index, next))}
              onRemove={() => write(volumes.toSpliced(index, 1))}
            />
            <VolumeResult answer={answers[index] ?? null} place={index + 1} />
          </article>
        ))}
      </div>
    </Section>
  );
}

interface VolumeFieldsProps {
  readonly typed: TypedVolume;
  readonly index: number;
  readonly errorOf: FormProps["errorOf"];
  readonly onChange: (typed: TypedVolume) => void;
  readonly onRemove: () => void;
}

function VolumeFields({ typed, index, errorOf, onChange, onRemove }: VolumeFieldsProps) {
  const { type } = typed;
  const changeType = (next: EbsType) => {
    const { sizeGiB, ...usual } = usualVolume(next);
    onChange({ ...usual, sizeGiB: typed.sizeGiB || sizeGiB });
  };
  const number = (name: "sizeGiB" | "iops" | "throughputMiBps", label: string) => (
    <Field label={label} error={errorOf(`${index}.${name}`)} className="w-28 grow">
      <TextInput
        inputMode="numeric"
        autoComplete="off"
        value={typed[name]}
        onChange={(event) => onChange({ ...typed, [name]: event.target.value })}
      />
    </Field>
  );
  return (
    <div className="flex flex-wrap items-start gap-3">
      <Field label="Type" error={errorOf(`${index}.type`)} className="w-44 grow">
        <Select options={typeOptions} value={type} onValueChange={changeType} />
      </Field>
      {number("sizeGiB", "Size, GiB")}
      {takesIops(type) && number("iops", "IOPS")}
      {takesThroughput(type) && number("throughputMiBps", "MiB/s")}
      <Button
        variant="quiet"
        size="sm"
        aria-label={`Remove volume ${index + 1}`}
        icon={<X aria-hidden="true" />}
        onClick={onRemove}
      />
    </div>
  );
}
