"use client";
import { type FieldFormOptions, useFieldForm } from "@stashlight/ui/field-form";
import type { FieldSpecs } from "@stashlight/ui/fields";
import { toProblem } from "./errors.ts";

/** A form that submits to the server and shows errors beside their fields. */
export function useForm<Specs extends FieldSpecs>(options: Omit<FieldFormOptions<Specs>, "toProblem">) {
  return useFieldForm({ ...options, toProblem });
}
