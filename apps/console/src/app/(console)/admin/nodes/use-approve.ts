"use client";
import type { NodeRow } from "@stashlight/contracts/node";
import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "../../../../client/trpc.tsx";
import { useOutcome } from "../../../../client/use-outcome.ts";

/** Approves without a confirmation, because a node can be revoked. */
export function useApprove(): { approve: (node: Pick<NodeRow, "id" | "name">) => void; isPending: boolean } {
  const trpc = useTRPC();
  const mutation = useMutation(trpc.node.approve.mutationOptions());
  const outcome = useOutcome(trpc.node.pathFilter());
  const approve = ({ id, name }: Pick<NodeRow, "id" | "name">) =>
    mutation.mutate(
      { nodeId: id },
      outcome({
        done: "Node approved",
        description: `Data from ${name} is accepted.`,
        failed: `${name} could not be approved`,
      }),
    );
  return { approve, isPending: mutation.isPending };
}
