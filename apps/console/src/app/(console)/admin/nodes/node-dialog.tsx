"use client";
import { Secret, Time } from "@stashlight/ui/data";
import { ConfirmDialog } from "@stashlight/ui/dialog";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { describeError } from "../../../../client/errors.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { IssueDialog } from "../../secret-dialog.tsx";
import type { ListedNode } from "./use-nodes.ts";

export interface NodeDialogSubject {
  kind: "rotate" | "revoke";
  node: ListedNode;
}

interface NodeDialogProps {
  node: ListedNode;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Dialog of the action chosen in a node's menu. */
export function NodeDialog({
  subject,
  ...rest
}: Omit<NodeDialogProps, "node"> & { subject: NodeDialogSubject }) {
  const props = { ...rest, node: subject.node };
  return subject.kind === "rotate" ? <RotateDialog {...props} /> : <RevokeDialog {...props} />;
}

function RevokeDialog({ node, open, onOpenChange }: NodeDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const revoke = useMutation(trpc.node.revoke.mutationOptions());
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Revoke ${node.name}?`}
      consequence={
        <>
          All its keys are revoked, and its data is refused within seconds. Data that it has already sent
          stays. To bring it back, enrol it again with a token that may replace nodes.
        </>
      }
      confirmLabel="Revoke node"
      confirmText={node.name}
      describeError={describeError}
      onConfirm={async () => {
        await revoke.mutateAsync({ nodeId: node.id, name: node.name });
        await queryClient.invalidateQueries(trpc.node.pathFilter());
        toast({ title: "Node revoked", description: `Data from ${node.name} is refused.`, status: "good" });
      }}
    />
  );
}

function RotateDialog({ node, ...dialog }: NodeDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const rotate = useMutation(
    trpc.node.rotateKey.mutationOptions({
      onSuccess: () => void queryClient.invalidateQueries(trpc.node.pathFilter()),
    }),
  );
  return (
    <IssueDialog
      {...dialog}
      title={`Rotate the key of ${node.name}`}
      description="Creates a new key. The current key stays valid for 24 hours, so that no data is lost."
      consequence="Copy the new key into the machine's key file. Any key older than the current one stops working now."
      action="Create key"
      issue={() => rotate.mutateAsync({ nodeId: node.id })}
    >
      {(issued) => (
        <Secret label="Key" value={issued.key}>
          Shown once. The previous key works until <Time value={issued.previousWorksUntil} />.
        </Secret>
      )}
    </IssueDialog>
  );
}
