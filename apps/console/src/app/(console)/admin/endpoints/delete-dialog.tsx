"use client";
import type { EndpointRow } from "@stashlight/contracts/endpoint";
import { ConfirmDialog } from "@stashlight/ui/dialog";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { describeError } from "../../../../client/errors.ts";
import { useTRPC } from "../../../../client/trpc.tsx";

interface DeleteDialogProps {
  endpoint: EndpointRow;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function DeleteDialog({ endpoint, open, onOpenChange }: DeleteDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const remove = useMutation(trpc.endpoint.delete.mutationOptions());
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Delete ${endpoint.name}?`}
      consequence="Its access key is deleted. Its measurements stay under its name. Objects that are still in its bucket stay there."
      confirmLabel="Delete endpoint"
      confirmText={endpoint.name}
      describeError={describeError}
      onConfirm={async () => {
        await remove.mutateAsync({ endpointId: endpoint.id, name: endpoint.name });
        await queryClient.invalidateQueries(trpc.endpoint.pathFilter());
      }}
    />
  );
}
