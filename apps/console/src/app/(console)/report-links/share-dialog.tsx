"use client";
import { Secret } from "@stashlight/ui/data";
import { Dialog } from "@stashlight/ui/dialog";
import { Button, Field, FormError, TextInput } from "@stashlight/ui/form";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { placeProblem, toProblem } from "../../../client/errors.ts";

interface ShareDialogProps {
  /** What it is called at first. */
  subjectName: string;
  description: string;
  /** Makes the link; its address is known this once. */
  share: (fields: { title: string; lifetimeDays: number }) => Promise<{ url: string }>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Makes a link with which anybody can read a report as it is at this moment. */
export function ShareDialog({ subjectName, description, share, open, onOpenChange }: ShareDialogProps) {
  const [title, setTitle] = useState(subjectName.slice(0, 120));
  const [days, setDays] = useState("30");
  const create = useMutation({ mutationFn: share });
  const problem = create.error === null ? null : toProblem(create.error);
  const { errorOf, formError } = placeProblem(problem, ["title", "lifetimeDays"]);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Share report"
      description={description}
      footer={
        create.data === undefined ? (
          <Button
            variant="primary"
            pending={create.isPending}
            onClick={() => create.mutate({ title, lifetimeDays: Number(days) })}
          >
            Make link
          </Button>
        ) : (
          <Button variant="primary" onClick={() => onOpenChange(false)}>
            Done
          </Button>
        )
      }
    >
      {create.data === undefined ? (
        <div className="flex flex-col gap-4">
          <Field label="Title" error={errorOf("title")}>
            <TextInput value={title} onChange={(event) => setTitle(event.target.value)} />
          </Field>
          <Field label="Days that it can be read" error={errorOf("lifetimeDays")}>
            <TextInput inputMode="numeric" value={days} onChange={(event) => setDays(event.target.value)} />
          </Field>
          {formError !== null && <FormError>{formError}</FormError>}
        </div>
      ) : (
        <Secret label="Report link" value={create.data.url} />
      )}
    </Dialog>
  );
}
