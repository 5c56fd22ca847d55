"use client";
import type { EndpointRow } from "@stashlight/contracts/endpoint";
import { FormDialog, FormField } from "@stashlight/ui/field-form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../../client/trpc.tsx";
import { useForm } from "../../../../client/use-form.ts";
import { credentialFields, toCredentials } from "./endpoint-form.ts";
import { labelsOfKind } from "./presets.ts";
import type { TestedEndpoint } from "./use-check.ts";

interface RotateDialogProps {
  endpoint: EndpointRow;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onRotated: (endpoint: TestedEndpoint) => void;
}

export function RotateDialog({ endpoint, open, onOpenChange, onRotated }: RotateDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const rotate = useMutation(trpc.endpoint.rotateCredentials.mutationOptions());
  const form = useForm({
    table: credentialFields,
    send: async (typed) => {
      await rotate.mutateAsync({ endpointId: endpoint.id, credentials: toCredentials(typed) });
      void queryClient.invalidateQueries(trpc.endpoint.pathFilter());
      onOpenChange(false);
      onRotated(endpoint);
    },
  });
  return (
    <FormDialog
      form={form}
      open={open}
      onOpenChange={onOpenChange}
      title={`Replace the access key of ${endpoint.name}`}
      description={`Replaces ${endpoint.accessKeyId ?? "the key in use"}. A run in progress finishes with the old key, so revoke that at the provider afterwards.`}
      action="Save and test"
    >
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <FormField form={form} name="accessKeyId" {...labelsOfKind[endpoint.kind].accessKeyId} />
        <FormField form={form} name="secretAccessKey" {...labelsOfKind[endpoint.kind].secretAccessKey} />
      </div>
    </FormDialog>
  );
}
