"use client";
import type { EnrolmentTokenRow } from "@stashlight/contracts/node";
import { EmptyState } from "@stashlight/ui/feedback";
import { type UseQueryResult, useMutation } from "@tanstack/react-query";
import { Ticket } from "lucide-react";
import { useTRPC } from "../../../../client/trpc.tsx";
import { RevocableTable } from "../revocable-table.tsx";
import { tokenColumns } from "./columns.tsx";

/** Tokens that can still enrol machines. */
export function Tokens({ tokens }: { tokens: UseQueryResult<EnrolmentTokenRow[], unknown> }) {
  const trpc = useTRPC();
  const revoke = useMutation(trpc.node.revokeToken.mutationOptions());
  return (
    <RevocableTable
      title="Open enrolment tokens"
      description="Tokens that machines can still enrol with. A revoked token stops working at once; nodes that enrolled with it stay."
      label="Enrolment tokens"
      columns={tokenColumns}
      prefix="tokens-"
      query={tokens}
      what="The tokens"
      empty={
        <EmptyState icon={<Ticket />} title="No open tokens">
          Select “Enrol nodes” to create a token. It is listed here until it is used up or expires.
        </EmptyState>
      }
      nameOf={({ lastCharacters }) => `the token …${lastCharacters}`}
      consequenceOf={({ useCount }) =>
        `No more machines can enrol with it. Nodes that enrolled with it stay (${useCount}).`
      }
      confirmLabel="Revoke token"
      revoke={({ id }) => revoke.mutateAsync({ tokenId: id })}
      shown={trpc.node.pathFilter()}
      doneOf={({ lastCharacters }) => ({ title: "Token revoked", description: `…${lastCharacters}` })}
    />
  );
}
