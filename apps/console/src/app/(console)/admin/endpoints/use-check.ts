"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../../client/trpc.tsx";
import { useDialog } from "../../../../client/use-dialog.ts";

export interface TestedEndpoint {
  id: string;
  name: string;
}

/** Runs a page's connection tests one at a time, and shows the findings in a dialog. */
export function useCheck() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const dialog = useDialog<TestedEndpoint>();
  const check = useMutation(
    trpc.endpoint.check.mutationOptions({
      onSuccess: () => void queryClient.invalidateQueries(trpc.endpoint.pathFilter()),
    }),
  );
  const start = (endpoint: TestedEndpoint) => {
    dialog.show(endpoint);
    check.mutate({ endpointId: endpoint.id });
  };
  return { dialog, check, start };
}
