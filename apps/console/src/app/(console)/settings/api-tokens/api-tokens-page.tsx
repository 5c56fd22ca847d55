"use client";
import type { ApiTokenRow, IssuedApiToken } from "@stashlight/contracts/api-token";
import type { Role } from "@stashlight/contracts/user";
import { lazyWhenOpen } from "@stashlight/ui";
import { Secret } from "@stashlight/ui/data";
import { EmptyState } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { Page, PageHeader } from "@stashlight/ui/layout";
import type { Column } from "@stashlight/ui/table-state";
import { type UseQueryResult, useMutation, useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { renderDialog } from "../../../../client/render-dialog.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { useDialog } from "../../../../client/use-dialog.ts";
import { RevocableTable } from "../../admin/revocable-table.tsx";
import { SecretDialog } from "../../secret-dialog.tsx";
import { allTokenColumns, ownTokenColumns } from "./columns.tsx";

const TokenDialog = lazyWhenOpen(async () => (await import("./token-dialog.tsx")).TokenDialog);

export function ApiTokensPage({ role }: { role: Role }) {
  const trpc = useTRPC();
  const own = useQuery(trpc.apiToken.list.queryOptions());
  const isAdmin = role === "admin";
  const all = useQuery(trpc.apiToken.listAll.queryOptions(undefined, { enabled: isAdmin }));
  const editor = useDialog<true>();
  const issued = useDialog<IssuedApiToken>();
  return (
    <Page>
      <PageHeader
        title="API tokens"
        description="Scripts use the HTTP API below /api/v1 with a token, in your name and never with more than your role."
        action={
          <Button variant="primary" icon={<Plus />} onClick={() => editor.show(true)}>
            New API token
          </Button>
        }
      />
      <Tokens
        title="Your tokens"
        description="Revoke a token that you no longer need, so that it cannot be stolen."
        prefix="own-"
        columns={ownTokenColumns}
        query={own}
        empty="“New API token” creates one with the rights that you choose, and shows it once."
      />
      {isAdmin && (
        <Tokens
          title="Tokens of all users"
          description="As an admin you can revoke each of them. Disabling a user revokes all of theirs."
          prefix="all-"
          columns={allTokenColumns}
          query={all}
          empty="No user has an API token."
        />
      )}
      {renderDialog(editor, (_, shown) => (
        <TokenDialog role={role} {...shown} onIssued={issued.show} />
      ))}
      {issued.subject !== null && (
        <SecretDialog
          key={`issued ${issued.key}`}
          open={issued.open}
          onOpenChange={issued.setOpen}
          title="Your API token"
          description="It is shown only once. Send it in the header “Authorization: Bearer …”, never in an address."
          done="I have saved it"
        >
          <Secret label="API token" value={issued.subject.token} />
        </SecretDialog>
      )}
    </Page>
  );
}

interface TokensProps {
  title: string;
  description: string;
  prefix: string;
  columns: Column<ApiTokenRow>[];
  query: UseQueryResult<ApiTokenRow[], unknown>;
  empty: ReactNode;
}

function Tokens({ empty, ...table }: TokensProps) {
  const trpc = useTRPC();
  const revoke = useMutation(trpc.apiToken.revoke.mutationOptions());
  return (
    <RevocableTable
      {...table}
      label={table.title}
      what="The API tokens"
      empty={
        <EmptyState icon={<KeyRound />} title="No API tokens">
          {empty}
        </EmptyState>
      }
      nameOf={({ name }) => `the token ${name}`}
      consequenceOf={({ name }) =>
        `Requests with ${name} are refused at once, and the token cannot be restored.`
      }
      confirmLabel="Revoke token"
      revoke={({ id }) => revoke.mutateAsync({ tokenId: id })}
      shown={trpc.apiToken.pathFilter()}
      doneOf={({ name }) => ({ title: "API token revoked", description: name })}
    />
  );
}
