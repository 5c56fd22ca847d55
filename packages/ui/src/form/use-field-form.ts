"use client";
import type { FormEvent } from "react";
import {
  type Control,
  type FieldErrors,
  type FieldValues,
  get,
  set,
  useForm,
  useWatch,
} from "react-hook-form";
import type { FieldSpecs, FieldTable, Problems, Typed } from "./field-spec.ts";
import { type FormProblem, placeProblems } from "./place-problems.ts";

export interface FieldFormOptions<Specs extends FieldSpecs> {
  readonly table: FieldTable<Specs>;
  /** Initial values that override the table's. */
  readonly initial?: Typed<Specs>;
  /** Submits once every field is valid; rejects if the server refuses, in which case the typed text is kept. */
  readonly send: (typed: Typed<Specs>) => Promise<unknown>;
  readonly toProblem: (error: unknown) => FormProblem;
  /** Finds errors by field name; replaces the table's own check. */
  readonly problemsOf?: (typed: Typed<Specs>) => Problems;
  /** Maps a server error's path to a field; replaces the table's own mapping. */
  readonly fieldAt?: (path: string | null, typed: Typed<Specs>) => string | null;
  /** Shows errors while typing instead of at the first submission. */
  readonly isLive?: boolean;
}

/** State and handlers of a form, for the view of its fields. */
export interface FieldForm<Specs extends FieldSpecs> {
  readonly table: FieldTable<Specs>;
  readonly control: Control;
  readonly typed: Typed<Specs>;
  /** Server error about no field of the form. */
  readonly formError: string | null;
  readonly isPending: boolean;
  errorOf: (name: string) => string | undefined;
  change: (part: Partial<Typed<Specs>>) => void;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/** Focuses the first invalid field in display order, and opens its section. */
function focusFirstError(form: HTMLFormElement): void {
  requestAnimationFrame(() => {
    const wrong = form.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid]');
    const section = wrong?.closest("details");
    if (section) section.open = true;
    const control = wrong?.matches("fieldset") ? wrong.querySelector<HTMLElement>("input, button") : wrong;
    control?.focus();
    control?.scrollIntoView({ block: "center" });
  });
}

/** Nests problems as react-hook-form does: an error of "parameters.sizes" goes inside `parameters`. */
function toFieldErrors(problems: Problems): FieldErrors {
  const errors: FieldErrors = {};
  for (const [name, message] of Object.entries(problems)) set(errors, name, { type: "unreadable", message });
  return errors;
}

const messageAt = (errors: FieldErrors, name: string): string | undefined =>
  (get(errors, name) as { message?: string } | undefined)?.message;

/**
 * Returns a form that keeps the typed text and parses it before submitting. Each field that is invalid, here or
 * for the server, gets an error message, and the first one the focus.
 */
export function useFieldForm<Specs extends FieldSpecs>(options: FieldFormOptions<Specs>): FieldForm<Specs> {
  const { table, initial = table.initial, send, toProblem, isLive = false } = options;
  const { fieldAt = table.fieldAt, problemsOf = (typed) => table.read(typed).problems } = options;
  const { control, handleSubmit, setError, setValue, clearErrors, formState } = useForm<FieldValues>({
    defaultValues: initial,
    resolver: (held) => {
      const errors = toFieldErrors(problemsOf(held as Typed<Specs>));
      return Object.keys(errors).length > 0 ? { values: {}, errors } : { values: held, errors: {} };
    },
  });
  const typed = useWatch({ control }) as Typed<Specs>;
  const { errors, isSubmitting, isSubmitted } = formState;
  const liveProblems = isLive ? problemsOf(typed) : {};
  const place = (problem: FormProblem) => {
    const { formError, atFields } = placeProblems(problem, (path) => fieldAt(path, typed));
    if (formError !== null) setError("root.server", { message: formError });
    for (const [name, message] of Object.entries(atFields)) setError(name, { type: "server", message });
  };
  const submit = (target: HTMLFormElement) =>
    handleSubmit(
      async (held) => {
        try {
          await send(held as Typed<Specs>);
        } catch (error) {
          place(toProblem(error));
          focusFirstError(target);
        }
      },
      () => focusFirstError(target),
    );
  return {
    table,
    control,
    typed,
    formError: messageAt(errors, "root.server") ?? null,
    isPending: isSubmitting,
    errorOf: (name) => liveProblems[name] ?? messageAt(errors, name),
    change: (part) => {
      for (const [name, value] of Object.entries(part)) {
        setValue(name, value, { shouldValidate: isSubmitted });
      }
      clearErrors("root.server");
    },
    onSubmit: (event) => {
      // React lets the events of a form in a dialog bubble to the form of the page that opened it.
      event.stopPropagation();
      if (isSubmitting) event.preventDefault();
      else void submit(event.currentTarget)(event);
    },
  };
}
