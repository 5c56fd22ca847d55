"use client";
import type { EndpointRow } from "@stashlight/contracts/endpoint";
import { lazyWhenOpen } from "@stashlight/ui";
import { ActionMenu } from "@stashlight/ui/action-menu";
import { Button } from "@stashlight/ui/form";
import { Equal, KeyRound, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useMeasureTwice } from "./use-measure-twice.ts";

const DeleteDialog = lazyWhenOpen(async () => (await import("./delete-dialog.tsx")).DeleteDialog);

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
      <ActionMenu
        label={label}
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
