"use client";
import { Dialog } from "@stashlight/ui/dialog";
import { Button, FormError } from "@stashlight/ui/form";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { describeError } from "../../../../client/errors.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { RoleChoice } from "./role-choice.tsx";
import type { UserDialogProps } from "./user-dialog-props.ts";

export function RoleDialog({ user, open, onOpenChange }: UserDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const formId = useId();
  const [role, setRole] = useState(user.role);
  const change = useMutation(trpc.user.changeRole.mutationOptions());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (role === user.role) return onOpenChange(false);
    change.mutate(
      { userId: user.id, role },
      {
        onSuccess: () => {
          void queryClient.invalidateQueries(trpc.user.pathFilter());
          toast({
            title: "Role changed",
            description: `${user.name} is ${role} from now on.`,
            status: "good",
          });
          onOpenChange(false);
        },
      },
    );
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Change the role of ${user.name}`}
      description="It holds from their next request on; nobody is signed out."
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" pending={change.isPending}>
            Change role
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-4">
        <RoleChoice value={role} onChange={setRole} />
        <FormError>{change.isError ? describeError(change.error) : undefined}</FormError>
      </form>
    </Dialog>
  );
}
