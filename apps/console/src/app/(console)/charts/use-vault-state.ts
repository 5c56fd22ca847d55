"use client";
import { useQuery } from "@tanstack/react-query";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { refetchMs } from "../../../client/refetch.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { noVaultState, type VaultState } from "./vault-state.ts";

/** Reads current alerts and silent nodes; nothing for a page that shows the past. */
export function useVaultState(): VaultState {
  const trpc = useTRPC();
  const { isLive } = usePageTime();
  const firing = useQuery(
    trpc.alert.listFiring.queryOptions(undefined, { refetchInterval: refetchMs.live, enabled: isLive }),
  );
  const silences = useSilences() ?? noVaultState.silences;
  return isLive ? { firing: firing.data ?? noVaultState.firing, silences } : noVaultState;
}

/** Null while loading, so that content below it waits. */
export function useSilences(): VaultState["silences"] | null {
  const trpc = useTRPC();
  const silences = useQuery(
    trpc.node.listSilences.queryOptions(undefined, { refetchInterval: refetchMs.live }),
  );
  return silences.data ?? (silences.isError ? noVaultState.silences : null);
}
