import { useQuery } from "@tanstack/react-query";
import { refetchMs } from "../../../client/refetch.ts";
import { useTRPC } from "../../../client/trpc.tsx";

/** Current durability of every vault, whatever time the page shows. */
export function useDurability() {
  const trpc = useTRPC();
  return useQuery(trpc.vault.listDurability.queryOptions(undefined, { refetchInterval: refetchMs.states }));
}
