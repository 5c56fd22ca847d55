"use client";
import type { EndpointRow } from "@stashlight/contracts/benchmark/endpoint";
import { ConfirmDialog } from "@stashlight/ui/dialog";
import { Button } from "@stashlight/ui/form";
import { Menu } from "@stashlight/ui/menu";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Ellipsis, Equal, KeyRound, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { describeError } from "../../../../client/errors.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { useMeasureTwice } from "./use-measure-twice.ts";

interface EndpointMenuProps {
  endpoint: EndpointRow;
  isAdmin: boolean;
  onTest: (endpoint: EndpointRow) => void;
  onEdit: (endpoint: EndpointRow) => void;
  onRotate: (endpoint: EndpointRow) => void;
}

const builtInHint = "The local vault manages this endpoint.";

export function EndpointMenu({ endpoint, isAdmin, onTest, onEdit, onRotate }: EndpointMenuProps) {
  const measureTwice = useMeasureTwice();
  const [isDeleting, setDeleting] = useState(false);
  const label = `Actions for ${endpoint.name}`;
  const limits = endpoint.isBuiltIn
    ? { disabled: true, hint: builtInHint }
    : isAdmin
      ? {}
      : { disabled: true, hint: "You need the admin role." };
  return (
    <span className="inline-flex items-center gap-1">
      <Button size="sm" aria-label={`Test ${endpoint.name}`} onClick={() => onTest(endpoint)}>
        Test
      </Button>
      <Menu
        label={label}
        align="end"
        trigger={<Button variant="quiet" size="sm" icon={<Ellipsis />} aria-label={label} />}
        items={[
          {
            id: "edit",
            label: "Edit endpoint",
            icon: <Pencil />,
            ...limits,
            onSelect: () => onEdit(endpoint),
          },
          {
            id: "rotate",
            label: "Change access key",
            icon: <KeyRound />,
            ...limits,
            onSelect: () => onRotate(endpoint),
          },
          {
            id: "measure-twice",
            label: "Measure against itself",
            icon: <Equal />,
            ...limits,
            onSelect: () => measureTwice(endpoint),
          },
          { id: "line", separator: true },
          {
            id: "delete",
            label: "Delete endpoint",
            icon: <Trash2 />,
            danger: true,
            ...limits,
            onSelect: () => setDeleting(true),
          },
        ]}
      />
      <DeleteDialog endpoint={endpoint} open={isDeleting} onOpenChange={setDeleting} />
    </span>
  );
}

interface DeleteDialogProps {
  endpoint: EndpointRow;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function DeleteDialog({ endpoint, open, onOpenChange }: DeleteDialogProps) {
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
