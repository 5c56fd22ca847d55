"use client";
import { type FieldForm, FormField } from "@stashlight/ui/field-form";
import { useId } from "react";
import { type endpointFields, priceFields, withKind, withRegion } from "./endpoint-form.ts";
import { kindPresets, labelsOfKind } from "./presets.ts";

interface FieldsProps {
  form: FieldForm<typeof endpointFields.specs>;
}

export function PlaceFields({ form }: FieldsProps) {
  const regionsId = useId();
  const { typed, change } = form;
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <FormField form={form} name="name" />
      <FormField form={form} name="kind" onChange={(kind) => change(withKind(typed, kind))} />
      <FormField
        form={form}
        name="region"
        list={regionsId}
        onChange={(region) => change(withRegion(typed, region))}
      />
      <datalist id={regionsId}>
        {kindPresets[typed.kind].regions.map((region) => (
          <option key={region} value={region} />
        ))}
      </datalist>
      <FormField form={form} name="url" className="sm:order-none" />
      <FormField form={form} name="bucket" {...labelsOfKind[typed.kind].bucket} />
    </div>
  );
}

export function AddressFields({ form }: FieldsProps) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <FormField form={form} name="prefix" />
      {form.typed.kind !== "gcs" && <FormField form={form} name="addressing" />}
    </div>
  );
}

export function PriceFields({ form }: FieldsProps) {
  const problem = form.errorOf("hasPrices");
  return (
    <div className="flex flex-col gap-4">
      <FormField form={form} name="hasPrices" />
      {problem !== undefined && <p className="text-base text-bad">{problem}</p>}
      {form.typed.hasPrices && (
        <div className="grid items-start gap-4 sm:grid-cols-3">
          {priceFields.map((name) => (
            <FormField key={name} form={form} name={name} />
          ))}
        </div>
      )}
    </div>
  );
}
