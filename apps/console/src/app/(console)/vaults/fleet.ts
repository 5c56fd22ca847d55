/** Resolves the selection in the URL. Loaded together with the page. */
import type { NodeRow } from "@stashlight/contracts/node";

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
