"use client";
import { lazyPart, lazyWhenOpen } from "@stashlight/ui";
import { Button } from "@stashlight/ui/form";
import { Page, PageHeader } from "@stashlight/ui/layout";
import { DataTable } from "@stashlight/ui/table";
import { useQuery } from "@tanstack/react-query";
import { UserPlus, Users } from "lucide-react";
import { useMemo } from "react";
import { NextStep } from "../../../../client/next-step.tsx";
import { useTRPC } from "../../../../client/trpc.tsx";
import { useTableState } from "../../../../client/url-state.ts";
import { useDialog } from "../../../../client/use-dialog.ts";
import { QueryError } from "../../query-state.tsx";
import { userColumns } from "./columns.tsx";
import { UserDialog, type UserDialogSubject } from "./user-dialog.tsx";
import { UserMenu } from "./user-menu.tsx";

const Invitations = lazyPart(async () => (await import("./invitations.tsx")).Invitations);
const InviteDialog = lazyWhenOpen(async () => (await import("./invite-dialog.tsx")).InviteDialog);

const tableOptions = { columns: userColumns, defaultSort: { id: "name", direction: "asc" } } as const;

export function UsersPage({ ownId }: { ownId: string }) {
  const trpc = useTRPC();
  const users = useQuery(trpc.user.list.queryOptions());
  const invitations = useQuery(trpc.user.listInvitations.queryOptions());
  const rows = useMemo(
    () => (users.data ?? []).map((user) => ({ ...user, isOwn: user.id === ownId })),
    [users.data, ownId],
  );
  const [state, setState] = useTableState(tableOptions);
  const invite = useDialog<true>();
  const dialog = useDialog<UserDialogSubject>();
  const hasFailed = users.isError && users.data === undefined;
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
      <DataTable
        label="Users"
        columns={userColumns}
        rows={rows}
        rowKey={(user) => user.id}
        state={state}
        onStateChange={setState}
        status={users.isPending ? "loading" : hasFailed ? "error" : "ready"}
        error={<QueryError what="The users" error={users.error} onRetry={() => void users.refetch()} />}
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
      {invite.subject !== null && (
        <InviteDialog key={invite.key} open={invite.open} onOpenChange={invite.setOpen} />
      )}
      {dialog.subject !== null && (
        <UserDialog
          key={dialog.key}
          subject={dialog.subject}
          open={dialog.open}
          onOpenChange={dialog.setOpen}
        />
      )}
    </Page>
  );
}
