"use client";
import { FormDialog } from "@stashlight/ui/field-form";
import { fieldTable, held } from "@stashlight/ui/fields";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../../client/trpc.tsx";
import { useForm } from "../../../../client/use-form.ts";
import { RoleChoice } from "./role-choice.tsx";
import type { UserDialogProps } from "./user-dialog-props.ts";

export function RoleDialog({ user, open, onOpenChange }: UserDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const change = useMutation(trpc.user.changeRole.mutationOptions());
  const form = useForm({
    table: fieldTable({ role: held(user.role) }),
    send: async ({ role }) => {
      if (role !== user.role) {
        await change.mutateAsync({ userId: user.id, role });
        void queryClient.invalidateQueries(trpc.user.pathFilter());
        toast({
          title: "Role changed",
          description: `${user.name} now has the ${role} role.`,
          status: "good",
        });
      }
      onOpenChange(false);
    },
  });
  return (
    <FormDialog
      form={form}
      open={open}
      onOpenChange={onOpenChange}
      title={`Change the role of ${user.name}`}
      description="The change applies to their next request; no session ends."
      action="Change role"
    >
      <RoleChoice value={form.typed.role} onChange={(role) => form.change({ role })} />
    </FormDialog>
  );
}
