"use client";
import { lazyPart, lazyWhenOpen } from "@stashlight/ui";
import { Button } from "@stashlight/ui/form";
import { Page, PageHeader } from "@stashlight/ui/layout";
import { useQuery } from "@tanstack/react-query";
import { UserPlus, Users } from "lucide-react";
import { useMemo } from "react";
import { NextStep } from "../../../../client/next-step.tsx";
import { renderDialog } from "../../../../client/render-dialog.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { useDialog } from "../../../../client/use-dialog.ts";
import { QueryTable } from "../../query-table.tsx";
import { userColumns } from "./columns.tsx";
import type { UserDialogSubject } from "./user-dialog.tsx";
import { UserMenu } from "./user-menu.tsx";

const Invitations = lazyPart(async () => (await import("./invitations.tsx")).Invitations);
const InviteDialog = lazyWhenOpen(async () => (await import("./invite-dialog.tsx")).InviteDialog);
const UserDialog = lazyWhenOpen(async () => (await import("./user-dialog.tsx")).UserDialog);

const tableOptions = { columns: userColumns, defaultSort: { id: "name", direction: "asc" } } as const;

export function UsersPage({ ownId }: { ownId: string }) {
  const trpc = useTRPC();
  const users = useQuery(trpc.user.list.queryOptions());
  const invitations = useQuery(trpc.user.listInvitations.queryOptions());
  const rows = useMemo(
    () => (users.data ?? []).map((user) => ({ ...user, isOwn: user.id === ownId })),
    [users.data, ownId],
  );
  const invite = useDialog<true>();
  const dialog = useDialog<UserDialogSubject>();
  return (
    <Page>
      <PageHeader
        title="Users"
        description="People who can sign in, and their roles."
        action={
          <Button variant="primary" icon={<UserPlus />} onClick={() => invite.show(true)}>
            Invite user
          </Button>
        }
      />
      <QueryTable
        label="Users"
        rows={rows}
        rowKey={(user) => user.id}
        table={tableOptions}
        query={users}
        what="The users"
        empty={
          <NextStep
            icon={<Users />}
            title="No users yet"
            step={{ label: "Invite the first user", onTake: () => invite.show(true) }}
          >
            Select “Invite user” to create a link that works once.
          </NextStep>
        }
        rowActions={(user) => <UserMenu user={user} onChoose={dialog.show} />}
        exportName="users"
        skeletonRowCount={4}
      />
      {/* Waits for the users, because the number of rows above determines its position. */}
      {!users.isPending && <Invitations invitations={invitations} />}
      {renderDialog(invite, (_, shown) => (
        <InviteDialog {...shown} />
      ))}
      {renderDialog(dialog, (subject, shown) => (
        <UserDialog subject={subject} {...shown} />
      ))}
    </Page>
  );
}
