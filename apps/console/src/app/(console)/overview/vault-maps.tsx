"use client";
import { Skeleton } from "@stashlight/ui/feedback";
import { useQuery } from "@tanstack/react-query";
import { useScope } from "../../../client/metrics/use-scope.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { WhenNear } from "../../../client/when-near.tsx";
import { VaultMap } from "../charts/vault-map.tsx";
import { MAP_PX, MAPS_MAX, MapsSkeleton } from "./maps-skeleton.tsx";

/** Map of a single vault, beside the charts. */
export function OneVaultMap() {
  const { vaults } = useScope();
  return <VaultMap title={vaults[0] === undefined ? "Vault" : `Vault ${vaults[0]}`} isCompact />;
}

/** One map per vault, because drives of different vaults share names. */
export function VaultMaps() {
  const trpc = useTRPC();
  const nodes = useQuery(trpc.node.list.queryOptions(undefined, { staleTime: 60_000 }));
  const { asked } = useScope();
  // Waits for the nodes; a map of all vaults' drives would be queried and thrown away.
  if (nodes.isPending) return <MapsSkeleton />;
  const kept = (nodes.data ?? []).filter(
    ({ status, vault }) => status !== "revoked" && (asked?.includes(vault) ?? true),
  );
  const vaults = [...Map.groupBy(kept, ({ vault }) => vault)];
  return vaults.slice(0, MAPS_MAX).map(([vault, ofVault]) => (
    <WhenNear key={vault} fallback={<Skeleton width="100%" height={MAP_PX} />}>
      <VaultMap title={`Vault ${vault}`} nodeIds={ofVault.map(({ id }) => id)} />
    </WhenNear>
  ));
}
