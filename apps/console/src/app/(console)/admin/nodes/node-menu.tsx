"use client";
import { ActionMenu } from "@stashlight/ui/action-menu";
import { Button } from "@stashlight/ui/form";
import { Ban, CircleCheck, KeyRound } from "lucide-react";
import type { NodeDialogSubject } from "./node-dialog.tsx";
import { useApprove } from "./use-approve.ts";
import type { ListedNode } from "./use-nodes.ts";

interface NodeMenuProps {
  node: ListedNode;
  onChoose: (subject: NodeDialogSubject) => void;
}

/** Actions on a node. A revoked node can only enrol again, so its menu is empty. */
export function NodeMenu({ node, onChoose }: NodeMenuProps) {
  const { approve } = useApprove();
  const label = `Actions for ${node.name}`;
  const isRevoked = node.status === "revoked";
  const revokedHint = isRevoked ? { hint: "The node is revoked; enrol it again." } : {};
  return (
    <span className="inline-flex items-center gap-1">
      {node.status === "pending" && (
        <Button size="sm" aria-label={`Approve ${node.name}`} onClick={() => approve(node)}>
          Approve
        </Button>
      )}
      <ActionMenu
        label={label}
        items={[
          ...(node.status === "pending"
            ? [
                {
                  id: "approve",
                  label: "Approve node",
                  icon: <CircleCheck />,
                  onSelect: () => approve(node),
                },
              ]
            : []),
          {
            id: "rotate",
            label: "Rotate key",
            icon: <KeyRound />,
            disabled: isRevoked,
            ...revokedHint,
            onSelect: () => onChoose({ kind: "rotate", node }),
          },
          { id: "line", separator: true },
          {
            id: "revoke",
            label: "Revoke node",
            icon: <Ban />,
            danger: true,
            disabled: isRevoked,
            ...revokedHint,
            onSelect: () => onChoose({ kind: "revoke", node }),
          },
        ]}
      />
    </span>
  );
}
