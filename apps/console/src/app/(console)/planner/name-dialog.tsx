"use client";
import { Dialog } from "@stashlight/ui/dialog";
import { Button, Field, FormError, TextInput } from "@stashlight/ui/form";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { placeProblem, toProblem } from "../../../client/errors.ts";

interface NameDialogProps {
  readonly title: string;
  readonly action: string;
  readonly name: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onName: (name: string) => Promise<unknown>;
}

export function NameDialog({ title, action, name: initial, open, onOpenChange, onName }: NameDialogProps) {
  const [name, setName] = useState(initial);
  const give = useMutation({ mutationFn: onName, onSuccess: () => onOpenChange(false) });
  const { errorOf, formError } = placeProblem(give.error === null ? null : toProblem(give.error), ["name"]);
  const submit = () => give.mutate(name);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      size="sm"
      footer={
        <Button variant="primary" pending={give.isPending} onClick={submit}>
          {action}
        </Button>
      }
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field label="Name of the plan" error={errorOf("name")}>
          <TextInput autoComplete="off" value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        {formError !== null && <FormError>{formError}</FormError>}
      </form>
    </Dialog>
  );
}
