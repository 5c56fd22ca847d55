"use client";
import type { EndpointRow } from "@stashlight/contracts";
import { Dialog } from "@stashlight/ui/dialog";
import { Button, FormError } from "@stashlight/ui/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { placeProblem, toProblem } from "../../../../client/errors.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import type { TestedEndpoint } from "./check-dialog.tsx";
import { CredentialsFields } from "./endpoint-fields.tsx";
import { type CredentialsForm, credentialsOf } from "./endpoint-form.ts";

interface RotateDialogProps {
  endpoint: EndpointRow;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onRotated: (endpoint: TestedEndpoint) => void;
}

const fields = ["credentials.accessKeyId", "credentials.secretAccessKey"];

export function RotateDialog({ endpoint, open, onOpenChange, onRotated }: RotateDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const formId = useId();
  const [form, setForm] = useState<CredentialsForm>({ accessKeyId: "", secretAccessKey: "" });
  const rotate = useMutation(trpc.endpoint.rotateCredentials.mutationOptions());
  const problem = rotate.error === null ? null : toProblem(rotate.error);
  const { errorOf, formError } = placeProblem(problem, fields);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (rotate.isPending) return;
    const onSuccess = () => {
      void queryClient.invalidateQueries(trpc.endpoint.pathFilter());
      onOpenChange(false);
      onRotated(endpoint);
    };
    rotate.mutate({ endpointId: endpoint.id, credentials: credentialsOf(form) }, { onSuccess });
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Another access key for ${endpoint.name}`}
      description={`Takes the place of ${endpoint.accessKeyId ?? "the one in use"}. A run under way ends with the old one, so revoke that at the provider when it is over.`}
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" pending={rotate.isPending}>
            Save and test
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
        <CredentialsFields
          form={form}
          change={(part) => setForm((current) => ({ ...current, ...part }))}
          errorOf={errorOf}
        />
        <FormError>{formError}</FormError>
      </form>
    </Dialog>
  );
}
