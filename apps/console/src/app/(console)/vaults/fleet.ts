/** Groups nodes by vault, and resolves the URL's selection. */
import type { NodeRow } from "@stashlight/contracts/node";
import { describeSilentFor } from "@stashlight/contracts/node/silence";
import type { Status } from "@stashlight/ui";

export interface VaultRow {
  readonly vault: string;
  readonly nodeCount: number;
  readonly activeCount: number;
  readonly pendingCount: number;
  /** Active nodes that have stopped reporting. */
  readonly silentCount: number;
  /** Active nodes that have never reported. */
  readonly unseenCount: number;
  readonly stashNodeCount: number;
  readonly podNodeCount: number;
  readonly lastSeenAt: Date | null;
  readonly isSimulated: boolean;
}

export function vaultRows(nodes: readonly NodeRow[]): VaultRow[] {
  const kept = nodes.filter(({ status }) => status !== "revoked");
  return [...Map.groupBy(kept, ({ vault }) => vault)].map(([vault, ofVault]) => ({
    vault,
    nodeCount: ofVault.length,
    activeCount: ofVault.filter(({ status }) => status === "active").length,
    pendingCount: ofVault.filter(({ status }) => status === "pending").length,
    silentCount: ofVault.filter(({ silentSeconds }) => silentSeconds !== null).length,
    unseenCount: ofVault.filter(({ status, lastSeenAt }) => status === "active" && lastSeenAt === null)
      .length,
    stashNodeCount: ofVault.filter(({ role }) => role === "stash").length,
    podNodeCount: ofVault.filter(({ role }) => role === "pod").length,
    lastSeenAt: latest(ofVault.map(({ lastSeenAt }) => lastSeenAt)),
    isSimulated: ofVault.some((node) => node.isSimulated),
  }));
}

export function stateOfVault({
  silentCount,
  pendingCount,
  unseenCount,
  activeCount,
}: Pick<VaultRow, "silentCount" | "pendingCount" | "unseenCount" | "activeCount">): {
  status: Status;
  word: string;
} {
  if (silentCount > 0) return { status: "bad", word: `${silentCount} of ${activeCount} nodes silent` };
  if (pendingCount > 0) return { status: "info", word: `${pendingCount} wait for approval` };
  if (unseenCount > 0) {
    return { status: "info", word: `${unseenCount} of ${activeCount} wait for first heartbeat` };
  }
  return { status: "good", word: "all nodes report" };
}

const latest = (times: readonly (Date | null)[]): Date | null =>
  times.reduce((newest, time) => (time !== null && (newest === null || time > newest) ? time : newest), null);

export function statusOfNode(node: NodeRow): { status: Status; word: string } {
  if (node.status === "pending") return { status: "info", word: "waits for approval" };
  if (node.status === "revoked") return { status: "unknown", word: "revoked" };
  if (node.lastSeenAt === null) return { status: "unknown", word: "waiting for the first heartbeat" };
  return node.silentSeconds === null
    ? { status: "good", word: "reporting" }
    : { status: "bad", word: `silent, ${describeSilentFor(node.silentSeconds)}` };
}

/** Subject of the page: a drive, a node, a vault, or the whole fleet. */
export type Place =
  | { readonly kind: "fleet" }
  | { readonly kind: "vault"; readonly vault: string; readonly nodes: readonly NodeRow[] }
  | { readonly kind: "node"; readonly node: NodeRow }
  | { readonly kind: "device"; readonly node: NodeRow; readonly device: string }
  /** A link that is outdated or mistyped. */
  | { readonly kind: "unknown"; readonly name: string };

/** The vault that the place belongs to; null for the whole fleet. */
export function placeVault(place: Place): string | null {
  if (place.kind === "vault") return place.vault;
  return place.kind === "node" || place.kind === "device" ? place.node.vault : null;
}

export interface PlaceNames {
  readonly vault: string | null;
  readonly node: string | null;
  readonly device: string | null;
}

export function findPlace({ vault, node: name, device }: PlaceNames, nodes: readonly NodeRow[]): Place {
  if (name !== null) {
    const node = nodes.find((one) => one.name === name);
    if (node === undefined) return { kind: "unknown", name };
    return device === null ? { kind: "node", node } : { kind: "device", node, device };
  }
  if (vault === null) return { kind: "fleet" };
  const ofVault = nodes.filter((one) => one.vault === vault && one.status !== "revoked");
  return ofVault.length === 0 ? { kind: "unknown", name: vault } : { kind: "vault", vault, nodes: ofVault };
}
