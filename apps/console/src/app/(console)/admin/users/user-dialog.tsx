"use client";
import { ConfirmDialog } from "@stashlight/ui/dialog";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { describeError } from "../../../../client/errors.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import type { ListedUser } from "./columns.tsx";
import { PasswordLinkDialog } from "./password-link-dialog.tsx";
import { RoleDialog } from "./role-dialog.tsx";
import type { UserDialogProps } from "./user-dialog-props.ts";

export interface UserDialogSubject {
  kind: "role" | "password" | "two-factor" | "sessions" | "disable";
  user: ListedUser;
}

type AnyUserDialogProps = Omit<UserDialogProps, "user"> & {
  subject: UserDialogSubject;
};

/** Dialog of the action chosen in a user's menu. */
export function UserDialog({ subject, ...rest }: AnyUserDialogProps) {
  const props = { ...rest, user: subject.user };
  if (subject.kind === "role") return <RoleDialog {...props} />;
  if (subject.kind === "password") return <PasswordLinkDialog {...props} />;
  if (subject.kind === "two-factor") return <TwoFactorDialog {...props} />;
  if (subject.kind === "sessions") return <EndSessionsDialog {...props} />;
  return <DisableDialog {...props} />;
}

const countSessions = (count: number) => (count === 1 ? "1 session" : `${count} sessions`);

function DisableDialog({ user, open, onOpenChange }: UserDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const disable = useMutation(trpc.user.disable.mutationOptions());
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Disable ${user.name}?`}
      consequence={
        <>
          {user.email} can no longer sign in. {countSessions(user.sessionCount)} and any open password link
          end at once. Role and password are kept: an admin can enable the user again.
        </>
      }
      confirmLabel="Disable user"
      confirmText={user.name}
      describeError={describeError}
      onConfirm={async () => {
        await disable.mutateAsync({ userId: user.id });
        await queryClient.invalidateQueries(trpc.user.pathFilter());
        toast({ title: "User disabled", description: `${user.name} can no longer sign in.`, status: "good" });
      }}
    />
  );
}

function TwoFactorDialog({ user, open, onOpenChange }: UserDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const disable = useMutation(trpc.user.disableTwoFactor.mutationOptions());
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Turn off the two-factor sign-in of ${user.name}?`}
      consequence={
        <>
          For a user who lost their phone and their backup codes. {user.email} then signs in with the password
          alone. Open sessions that end at once: {user.sessionCount}.
        </>
      }
      confirmLabel="Turn off"
      describeError={describeError}
      onConfirm={async () => {
        await disable.mutateAsync({ userId: user.id });
        await queryClient.invalidateQueries(trpc.user.pathFilter());
        toast({ title: `Two-factor sign-in of ${user.name} is off`, status: "good" });
      }}
    />
  );
}

function EndSessionsDialog({ user, open, onOpenChange }: UserDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const end = useMutation(trpc.user.endSessions.mutationOptions());
  const count = user.isOwn ? user.sessionCount - 1 : user.sessionCount;
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={user.isOwn ? "End your other sessions?" : `End the sessions of ${user.name}?`}
      consequence={
        user.isOwn
          ? `Ends ${countSessions(count)} elsewhere; the one you are using stays.`
          : `Signs ${user.name} out everywhere (${countSessions(count)}). They can sign in again.`
      }
      confirmLabel="End sessions"
      describeError={describeError}
      onConfirm={async () => {
        const { endedCount } = await end.mutateAsync({ userId: user.id });
        await queryClient.invalidateQueries(trpc.user.pathFilter());
        toast({ title: `${countSessions(endedCount)} of ${user.name} ended`, status: "good" });
      }}
    />
  );
}
