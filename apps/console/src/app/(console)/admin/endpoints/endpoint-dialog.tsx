"use client";
import type { EndpointRow } from "@stashlight/contracts";
import { Dialog } from "@stashlight/ui/dialog";
import { Button, FormError } from "@stashlight/ui/form";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { placeProblem, toProblem } from "../../../../client/errors.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import type { TestedEndpoint } from "./check-dialog.tsx";
import { CertificateField, CredentialsFields, PlaceFields, PriceFields } from "./endpoint-fields.tsx";
import {
  credentialsOf,
  type EndpointForm,
  emptyForm,
  endpointOf,
  formOf,
  priceFields,
} from "./endpoint-form.ts";

interface EndpointDialogProps {
  /** Null: a new one. */
  endpoint: EndpointRow | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** A new one is tested at once. */
  onCreated: (endpoint: TestedEndpoint) => void;
}

const fields = [
  ...["name", "region", "url", "bucket", "prefix", "caPem", "priceList", "priceList.asOf"],
  ...priceFields.map((field) => `priceList.${field}`),
  ...["credentials.accessKeyId", "credentials.secretAccessKey"],
];

export function EndpointDialog({ endpoint, open, onOpenChange, onCreated }: EndpointDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const formId = useId();
  const [form, setForm] = useState<EndpointForm>(() => (endpoint === null ? emptyForm : formOf(endpoint)));
  const create = useMutation(trpc.endpoint.create.mutationOptions());
  const update = useMutation(trpc.endpoint.update.mutationOptions());
  const { isPending, error } = endpoint === null ? create : update;
  const { errorOf, formError } = placeProblem(error === null ? null : toProblem(error), fields);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    const input = endpointOf(form);
    const finish = () => {
      void queryClient.invalidateQueries(trpc.endpoint.pathFilter());
      onOpenChange(false);
    };
    if (endpoint === null) {
      const onSuccess = ({ endpointId }: { endpointId: string }) => {
        finish();
        onCreated({ id: endpointId, name: input.name });
      };
      create.mutate({ ...input, credentials: credentialsOf(form) }, { onSuccess });
      return;
    }
    const onSuccess = () => {
      finish();
      toast({ title: "Endpoint changed", description: input.name, status: "good" });
    };
    update.mutate({ endpointId: endpoint.id, ...input }, { onSuccess });
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title={endpoint === null ? "New endpoint" : `Edit ${endpoint.name}`}
      description="Where benchmarks upload to. Each run writes below a prefix of its own, and deletes it."
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" pending={isPending}>
            {endpoint === null ? "Add and test" : "Save endpoint"}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
        <PlaceFields form={form} setForm={setForm} errorOf={errorOf} />
        {endpoint === null && (
          <CredentialsFields
            form={form}
            change={(part) => setForm((current) => ({ ...current, ...part }))}
            errorOf={errorOf}
          />
        )}
        <PriceFields form={form} setForm={setForm} errorOf={errorOf} />
        <CertificateField form={form} setForm={setForm} errorOf={errorOf} />
        <FormError>{formError}</FormError>
      </form>
    </Dialog>
  );
}
