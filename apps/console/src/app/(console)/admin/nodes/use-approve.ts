"use client";
import type { NodeRow } from "@stashlight/contracts/node";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { describeError } from "../../../../client/errors.ts";
import { useTRPC } from "../../../../client/trpc.tsx";

/** Approving needs no question: it says who may send, and a node can be revoked. */
export function useApprove(): { approve: (node: Pick<NodeRow, "id" | "name">) => void; isPending: boolean } {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const mutation = useMutation(trpc.node.approve.mutationOptions());
  const approve = ({ id, name }: Pick<NodeRow, "id" | "name">) =>
    mutation.mutate(
      { nodeId: id },
      {
        onSuccess: () => {
          void queryClient.invalidateQueries(trpc.node.pathFilter());
          toast({ title: "Node approved", description: `Data from ${name} is accepted.`, status: "good" });
        },
        onError: (error) =>
          toast({
            title: `${name} could not be approved`,
            description: describeError(error),
            status: "bad",
          }),
      },
    );
  return { approve, isPending: mutation.isPending };
}
