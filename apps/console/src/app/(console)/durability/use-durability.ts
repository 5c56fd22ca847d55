import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../client/trpc.tsx";

/** Agents report every 10 s. */
const REFETCH_MS = 10_000;

/** Current durability of every vault, also on a page that shows the past. */
export function useDurability() {
  const trpc = useTRPC();
  return useQuery(trpc.vault.listDurability.queryOptions(undefined, { refetchInterval: REFETCH_MS }));
}
