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

/** The server's refusal of what was sent. */
export interface FormProblem {
  readonly message: string;
  /** The path of the field that it is about, as the server names it. */
  readonly field: string | null;
}

export interface FieldFormOptions<Specs extends FieldSpecs> {
  readonly table: FieldTable<Specs>;
  /** The form begins with these values instead of the table's. */
  readonly initial?: Typed<Specs>;
  /** Sends what is typed, once all of it can be read; rejects if it is refused, and what is typed then stays. */
  readonly send: (typed: Typed<Specs>) => Promise<unknown>;
  readonly toProblem: (error: unknown) => FormProblem;
  /** What cannot be read, by the name of the field, where the table alone does not say it. */
  readonly problemsOf?: (typed: Typed<Specs>) => Problems;
  /** The field of a refusal, where the table alone does not know it. */
  readonly fieldAt?: (path: string | null, typed: Typed<Specs>) => string | null;
  /** Mistakes are shown as one types; otherwise they are shown at the first attempt to send. */
  readonly isLive?: boolean;
}

/** A form as its fields see it. */
export interface FieldForm<Specs extends FieldSpecs> {
  readonly table: FieldTable<Specs>;
  readonly control: Control;
  readonly typed: Typed<Specs>;
  /** A refusal that is about no field of the form. */
  readonly formError: string | null;
  readonly isPending: boolean;
  errorOf: (name: string) => string | undefined;
  change: (part: Partial<Typed<Specs>>) => void;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/** The first wrong field as the form shows them gets the focus, also one whose section is closed. */
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

/** Nests problems as react-hook-form keeps them: an error of "parameters.sizes" is one within `parameters`. */
function errorsOf(problems: Problems): FieldErrors {
  const errors: FieldErrors = {};
  for (const [name, message] of Object.entries(problems)) set(errors, name, { type: "unreadable", message });
  return errors;
}

const messageAt = (errors: FieldErrors, name: string): string | undefined =>
  (get(errors, name) as { message?: string } | undefined)?.message;

/**
 * Holds what is typed. Sending reads it first; the first field that is wrong, here or for the server, gets the focus
 * and a sentence, which goes when the field is changed into something that can be read.
 */
export function useFieldForm<Specs extends FieldSpecs>(options: FieldFormOptions<Specs>): FieldForm<Specs> {
  const { table, initial = table.initial, send, toProblem, isLive = false } = options;
  const { fieldAt = table.fieldAt, problemsOf = (typed) => table.read(typed).problems } = options;
  const { control, handleSubmit, setError, setValue, clearErrors, formState } = useForm<FieldValues>({
    defaultValues: initial,
    resolver: (held) => {
      const errors = errorsOf(problemsOf(held as Typed<Specs>));
      return Object.keys(errors).length > 0 ? { values: {}, errors } : { values: held, errors: {} };
    },
  });
  const typed = useWatch({ control }) as Typed<Specs>;
  const { errors, isSubmitting, isSubmitted } = formState;
  const liveProblems = isLive ? problemsOf(typed) : {};
  const place = ({ message, field }: FormProblem) => {
    const name = fieldAt(field, typed);
    if (name === null) setError("root.server", { message });
    else setError(name, { type: "server", message }, { shouldFocus: true });
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
      // A form in a dialog lies within the form of the page that opened it, as far as React's events go.
      event.stopPropagation();
      if (isSubmitting) event.preventDefault();
      else void submit(event.currentTarget)(event);
    },
  };
}
