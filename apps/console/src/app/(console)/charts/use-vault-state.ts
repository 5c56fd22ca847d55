"use client";
import { useQuery } from "@tanstack/react-query";
import { FIRING_REFETCH_MS } from "../../../client/firing-count.ts";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { useTRPC } from "../../../client/trpc.tsx";
import { noVaultState, type VaultState } from "./vault-state.ts";

const SILENCES_REFETCH_MS = 5_000;

/** Reads current alerts and silent nodes; nothing for a page that shows the past. */
export function useVaultState(): VaultState {
  const trpc = useTRPC();
  const { isLive } = usePageTime();
  const firing = useQuery(
    trpc.alert.listFiring.queryOptions(undefined, { refetchInterval: FIRING_REFETCH_MS, enabled: isLive }),
  );
  const silences = useSilences() ?? noVaultState.silences;
  return isLive ? { firing: firing.data ?? noVaultState.firing, silences } : noVaultState;
}

/** Null while loading, so that content below it waits. */
export function useSilences(): VaultState["silences"] | null {
  const trpc = useTRPC();
  const silences = useQuery(
    trpc.node.listSilences.queryOptions(undefined, { refetchInterval: SILENCES_REFETCH_MS }),
  );
  return silences.data ?? (silences.isError ? noVaultState.silences : null);
}
