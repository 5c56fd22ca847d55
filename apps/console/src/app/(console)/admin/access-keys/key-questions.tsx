"use client";
import {
  type AccessKeyRow,
  accessKeyEffectSeconds,
  type IssuedAccessKey,
} from "@stashlight/contracts/access-key";
import { ConfirmDialog } from "@stashlight/ui/dialog";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { describeError } from "../../../../client/errors.ts";
import { useTRPC } from "../../../../client/trpc.tsx";

interface QuestionProps {
  accessKey: AccessKeyRow;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function RotateDialog({
  accessKey,
  onIssued,
  ...rest
}: QuestionProps & { onIssued: (issued: IssuedAccessKey) => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const rotate = useMutation(trpc.accessKey.rotate.mutationOptions());
  return (
    <ConfirmDialog
      {...rest}
      title={`Rotate the secret of ${accessKey.name}?`}
      consequence={`Clients that use the secret ending in ${accessKey.secretHint} are refused within ${accessKeyEffectSeconds} s. To change secrets without an interruption, create a second key and disable this one later.`}
      confirmLabel="Rotate secret"
      describeError={describeError}
      onConfirm={async () => {
        const issued = await rotate.mutateAsync({ keyId: accessKey.id });
        await queryClient.invalidateQueries(trpc.accessKey.pathFilter());
        onIssued(issued);
      }}
    />
  );
}

export function DisableDialog({ accessKey, ...rest }: QuestionProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const disable = useMutation(trpc.accessKey.disable.mutationOptions());
  const isDisabled = !accessKey.isDisabled;
  const verb = isDisabled ? "Disable" : "Enable";
  return (
    <ConfirmDialog
      {...rest}
      title={`${verb} ${accessKey.name}?`}
      consequence={
        isDisabled
          ? `Coordinators that reach the ingest refuse requests with this key within ${accessKeyEffectSeconds} s. Objects that were written with it stay.`
          : `Requests with this key are accepted again within ${accessKeyEffectSeconds} s.`
      }
      confirmLabel={`${verb} access key`}
      describeError={describeError}
      onConfirm={async () => {
        await disable.mutateAsync({ keyId: accessKey.id, isDisabled });
        await queryClient.invalidateQueries(trpc.accessKey.pathFilter());
        toast({
          title: `Access key ${isDisabled ? "disabled" : "enabled"}`,
          description: accessKey.name,
          status: "good",
        });
      }}
    />
  );
}

export function DeleteDialog({ accessKey, ...rest }: QuestionProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const remove = useMutation(trpc.accessKey.delete.mutationOptions());
  return (
    <ConfirmDialog
      {...rest}
      title={`Delete ${accessKey.name}?`}
      consequence={`Requests with this key are refused within ${accessKeyEffectSeconds} s, and the key cannot be restored. Its buckets stay with the owner ${accessKey.owner}.`}
      confirmLabel="Delete access key"
      confirmText={accessKey.name}
      describeError={describeError}
      onConfirm={async () => {
        await remove.mutateAsync({ keyId: accessKey.id, name: accessKey.name });
        await queryClient.invalidateQueries(trpc.accessKey.pathFilter());
      }}
    />
  );
}
