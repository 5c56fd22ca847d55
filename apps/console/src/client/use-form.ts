"use client";
import { type FieldFormOptions, useFieldForm } from "@stashlight/ui/field-form";
import type { FieldSpecs } from "@stashlight/ui/fields";
import { toProblem } from "./errors.ts";

/** A form that sends to the server, whose refusals it shows beside the field that they are about. */
export function useForm<Specs extends FieldSpecs>(options: Omit<FieldFormOptions<Specs>, "toProblem">) {
  return useFieldForm({ ...options, toProblem });
}
