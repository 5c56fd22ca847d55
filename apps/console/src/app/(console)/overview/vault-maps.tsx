"use client";
import { Skeleton } from "@stashlight/ui/feedback";
import { useQuery } from "@tanstack/react-query";
import { useScope } from "../../../client/metrics/use-scope.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { WhenNear } from "../../../client/when-near.tsx";
import { VaultMap } from "../charts/vault-map.tsx";

/** More are looked at one by one, on the page of the vaults. */
const VAULTS_MAX = 4;

/** A map for each vault, because drives of two vaults have the same names. */
export function VaultMaps() {
  const trpc = useTRPC();
  const nodes = useQuery(trpc.node.list.queryOptions(undefined, { staleTime: 60_000 }));
  const { asked } = useScope();
  const kept = (nodes.data ?? []).filter(
    ({ status, vault }) => status !== "revoked" && (asked?.includes(vault) ?? true),
  );
  const vaults = [...Map.groupBy(kept, ({ vault }) => vault)];
  if (vaults.length <= 1) return <VaultMap />;
  return vaults.slice(0, VAULTS_MAX).map(([vault, ofVault]) => (
    <WhenNear key={vault} fallback={<Skeleton width="100%" height={360} />}>
      <VaultMap title={`Vault ${vault}`} nodeIds={ofVault.map(({ id }) => id)} />
    </WhenNear>
  ));
}
