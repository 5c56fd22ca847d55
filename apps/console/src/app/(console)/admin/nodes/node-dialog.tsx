"use client";
import { Secret, Time } from "@stashlight/ui/data";
import { ConfirmDialog, Dialog } from "@stashlight/ui/dialog";
import { Button, FormError } from "@stashlight/ui/form";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { describeError } from "../../../../client/errors.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
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

/** The dialog of the action that was chosen in a node's menu. */
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

function RotateDialog({ node, open, onOpenChange }: NodeDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const rotate = useMutation(
    trpc.node.rotateKey.mutationOptions({
      onSuccess: () => void queryClient.invalidateQueries(trpc.node.pathFilter()),
    }),
  );
  const issued = rotate.data;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Rotate the key of ${node.name}`}
      description="Creates a new key. The current key stays valid for 24 hours, so that no data is lost."
      footer={
        issued === undefined ? (
          <>
            <Button onClick={() => onOpenChange(false)}>Cancel</Button>
            <Button
              variant="primary"
              pending={rotate.isPending}
              onClick={() => rotate.mutate({ nodeId: node.id })}
            >
              Create key
            </Button>
          </>
        ) : (
          <Button variant="primary" onClick={() => onOpenChange(false)}>
            Done
          </Button>
        )
      }
    >
      {issued === undefined ? (
        <div className="flex flex-col gap-4 text-muted">
          <p>
            Copy the new key into the machine's key file. Any key older than the current one stops working
            now.
          </p>
          <FormError>{rotate.isError ? describeError(rotate.error) : undefined}</FormError>
        </div>
      ) : (
        <Secret label="Key" value={issued.key}>
          Shown once. The previous key works until <Time value={issued.previousWorksUntil} />.
        </Secret>
      )}
    </Dialog>
  );
}
