"use client";
import { ActionMenu } from "@stashlight/ui/action-menu";
import { useMutation } from "@tanstack/react-query";
import { KeyRound, LogOut, ShieldCheck, ShieldOff, UserCheck, UserX } from "lucide-react";
import { useTRPC } from "../../../../client/trpc.tsx";
import { useOutcome } from "../../../../client/use-outcome.ts";
import type { ListedUser } from "./columns.tsx";
import type { UserDialogSubject } from "./user-dialog.tsx";

interface UserMenuProps {
  user: ListedUser;
  onChoose: (subject: UserDialogSubject) => void;
}

/** Actions on a user. Users can neither change their own role nor disable themselves. */
export function UserMenu({ user, onChoose }: UserMenuProps) {
  const enable = useEnableUser(user);
  const isDisabled = user.state === "disabled";
  const label = user.isOwn ? "Actions for yourself" : `Actions for ${user.name}`;
  const hasOtherSessions = user.sessionCount > (user.isOwn ? 1 : 0);
  return (
    <ActionMenu
      label={label}
      items={[
        ...(user.isOwn
          ? []
          : [
              {
                id: "role",
                label: "Change role",
                icon: <ShieldCheck />,
                onSelect: () => onChoose({ kind: "role", user }),
              },
            ]),
        {
          id: "password",
          label: "Issue password link",
          icon: <KeyRound />,
          disabled: isDisabled,
          ...(isDisabled ? { hint: "Enable the user first." } : {}),
          onSelect: () => onChoose({ kind: "password", user }),
        },
        ...(user.isOwn || !user.twoFactorEnabled
          ? []
          : [
              {
                id: "two-factor",
                label: "Turn off two-factor sign-in",
                icon: <ShieldOff />,
                onSelect: () => onChoose({ kind: "two-factor", user }),
              },
            ]),
        {
          id: "sessions",
          label: user.isOwn ? "End your other sessions" : "End sessions",
          icon: <LogOut />,
          disabled: !hasOtherSessions,
          ...(hasOtherSessions
            ? {}
            : { hint: user.isOwn ? "You have no other sessions." : "No session is open." }),
          onSelect: () => onChoose({ kind: "sessions", user }),
        },
        ...(user.isOwn ? [] : [{ id: "line", separator: true } as const]),
        ...(user.isOwn
          ? []
          : isDisabled
            ? [{ id: "enable", label: "Enable user", icon: <UserCheck />, onSelect: enable }]
            : [
                {
                  id: "disable",
                  label: "Disable user",
                  icon: <UserX />,
                  danger: true,
                  onSelect: () => onChoose({ kind: "disable", user }),
                },
              ]),
      ]}
    />
  );
}

/** Asks for no confirmation, because disabling the user undoes it. */
function useEnableUser(user: ListedUser): () => void {
  const trpc = useTRPC();
  const enable = useMutation(trpc.user.enable.mutationOptions());
  const outcome = useOutcome(trpc.user.pathFilter());
  return () =>
    enable.mutate(
      { userId: user.id },
      outcome({
        done: "User enabled",
        description: `${user.name} can sign in again.`,
        failed: `${user.name} could not be enabled`,
      }),
    );
}
