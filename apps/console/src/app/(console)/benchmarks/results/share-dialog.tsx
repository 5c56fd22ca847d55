"use client";
import type { BenchmarkComparisonQuestion } from "@stashlight/contracts";
import { Secret } from "@stashlight/ui/data";
import { Dialog } from "@stashlight/ui/dialog";
import { Button, Field, FormError, TextInput } from "@stashlight/ui/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { placeProblem, toProblem } from "../../../../client/errors.ts";
import { useTRPC } from "../../../../client/trpc.tsx";

interface ShareDialogProps {
  question: BenchmarkComparisonQuestion;
  planName: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Makes a link with which anybody can read this comparison as it is at this moment. */
export function ShareDialog({ question, planName, open, onOpenChange }: ShareDialogProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const [title, setTitle] = useState(planName.slice(0, 120));
  const [days, setDays] = useState("30");
  const create = useMutation(
    trpc.benchmarkReport.create.mutationOptions({
      onSuccess: () => client.invalidateQueries(trpc.benchmarkReport.list.queryFilter()),
    }),
  );
  const problem = create.error === null ? null : toProblem(create.error);
  const { errorOf, formError } = placeProblem(problem, ["title", "lifetimeDays"]);
  const submit = () => create.mutate({ ...question, title, lifetimeDays: Number(days) });
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Share report"
      description="Whoever has the link reads the comparison as it is at this moment, and nothing else, without signing in."
      footer={
        create.data === undefined ? (
          <Button variant="primary" pending={create.isPending} onClick={submit}>
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
