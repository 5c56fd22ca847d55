"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../client/trpc.tsx";
import { VaultMap } from "../charts/vault-map.tsx";

/** More are looked at one by one, on the page of the vaults. */
const VAULTS_MAX = 4;

/** A map for each vault, because drives of two vaults have the same names. */
export function VaultMaps() {
  const trpc = useTRPC();
  const nodes = useQuery(trpc.node.list.queryOptions(undefined, { staleTime: 60_000 }));
  const kept = (nodes.data ?? []).filter(({ status }) => status !== "revoked");
  const vaults = [...Map.groupBy(kept, ({ vault }) => vault)];
  if (vaults.length <= 1) return <VaultMap />;
  return vaults
    .slice(0, VAULTS_MAX)
    .map(([vault, ofVault]) => (
      <VaultMap key={vault} title={`Vault ${vault}`} nodeIds={ofVault.map(({ id }) => id)} />
    ));
}
