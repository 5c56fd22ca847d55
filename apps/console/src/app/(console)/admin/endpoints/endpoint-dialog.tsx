"use client";
import type { EndpointRow } from "@stashlight/contracts/endpoint";
import { FormDialog, FormField } from "@stashlight/ui/field-form";
import { Advanced, FormSection } from "@stashlight/ui/form";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../../client/trpc.tsx";
import { useForm } from "../../../../client/use-form.ts";
import { AddressFields, PlaceFields, PriceFields } from "./endpoint-fields.tsx";
import {
  advancedFields,
  emptyForm,
  endpointFields,
  formLike,
  toCredentials,
  toEndpointForm,
  toEndpointInput,
} from "./endpoint-form.ts";
import { labelsOfKind } from "./presets.ts";
import type { TestedEndpoint } from "./use-check.ts";

interface EndpointDialogProps {
  /** Null for a new endpoint. */
  endpoint: EndpointRow | null;
  /** Existing endpoint to copy into a new one of the same store. */
  like?: EndpointRow | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Called with the new endpoint, which is then tested. */
  onCreated: (endpoint: TestedEndpoint) => void;
}

export function EndpointDialog({
  endpoint,
  like = null,
  open,
  onOpenChange,
  onCreated,
}: EndpointDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const create = useMutation(trpc.endpoint.create.mutationOptions());
  const update = useMutation(trpc.endpoint.update.mutationOptions());
  const form = useForm({
    table: endpointFields,
    initial: endpoint === null ? (like === null ? emptyForm : formLike(like)) : toEndpointForm(endpoint),
    send: async (typed) => {
      const input = toEndpointInput(typed);
      if (endpoint === null) {
        const { endpointId } = await create.mutateAsync({ ...input, credentials: toCredentials(typed) });
        onCreated({ id: endpointId, name: input.name });
      } else {
        await update.mutateAsync({ endpointId: endpoint.id, ...input });
        toast({ title: "Endpoint changed", description: input.name, status: "good" });
      }
      void queryClient.invalidateQueries(trpc.endpoint.pathFilter());
      onOpenChange(false);
    },
  });
  return (
    <FormDialog
      form={form}
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title={endpoint === null ? "New endpoint" : `Edit ${endpoint.name}`}
      description="A store that benchmarks upload to. Each run writes under its own prefix and deletes it afterwards."
      action={endpoint === null ? "Add and test" : "Save endpoint"}
    >
      <FormSection title="Store">
        <PlaceFields form={form} />
      </FormSection>
      {endpoint === null && (
        <FormSection title="Access key">
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <FormField form={form} name="accessKeyId" {...labelsOfKind[form.typed.kind].accessKeyId} />
            <FormField
              form={form}
              name="secretAccessKey"
              {...labelsOfKind[form.typed.kind].secretAccessKey}
            />
          </div>
        </FormSection>
      )}
      <Advanced hasError={advancedFields.some((name) => form.errorOf(name) !== undefined)}>
        <AddressFields form={form} />
        <PriceFields form={form} />
        <FormField form={form} name="caPem" />
      </Advanced>
    </FormDialog>
  );
}
