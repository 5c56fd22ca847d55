/** Groups nodes by vault, and judges vaults and nodes by their reports. */
import {
  describeSilentFor,
  isWhollySilent,
  type NodeRow,
  reportsAboutVault,
} from "@stashlight/contracts/node";
import type { Status } from "@stashlight/ui";

export interface VaultRow {
  readonly vault: string;
  readonly nodeCount: number;
  readonly activeCount: number;
  readonly pendingCount: number;
  /** Active nodes that have stopped reporting. */
  readonly silentCount: number;
  /** Shortest silence among the nodes that report about the vault; null unless all of them are silent. */
  readonly silentSeconds: number | null;
  /** Active nodes that have never reported. */
  readonly unseenCount: number;
  readonly stashNodeCount: number;
  readonly podNodeCount: number;
  /** Newest report about the vault. */
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
    ...newestReport(ofVault),
    isSimulated: ofVault.some((node) => node.isSimulated),
  }));
}

function newestReport(ofVault: readonly NodeRow[]): Pick<VaultRow, "silentSeconds" | "lastSeenAt"> {
  const reporting = ofVault.filter(reportsAboutVault);
  const expected = reporting.filter(({ status, lastSeenAt }) => status === "active" && lastSeenAt !== null);
  const silences = expected.flatMap(({ silentSeconds }) => silentSeconds ?? []);
  const isSilent = isWhollySilent({ nodeCount: expected.length, silentCount: silences.length });
  return {
    silentSeconds: isSilent ? Math.min(...silences) : null,
    lastSeenAt: latest((reporting.length > 0 ? reporting : ofVault).map(({ lastSeenAt }) => lastSeenAt)),
  };
}

type NodeCounts = Pick<
  VaultRow,
  "silentSeconds" | "silentCount" | "pendingCount" | "unseenCount" | "activeCount"
>;

/** Old figures do not prove that nodes report, even if the last list of nodes had no silent one. */
export function stateOfVault(
  { silentSeconds, silentCount, pendingCount, unseenCount, activeCount }: NodeCounts,
  isStale = false,
): { status: Status; word: string } {
  if (silentSeconds !== null) return { status: "bad", word: describeSilentFor(silentSeconds) };
  if (silentCount > 0) return { status: "bad", word: `${silentCount} of ${activeCount} nodes silent` };
  if (pendingCount > 0) return { status: "info", word: `${pendingCount} wait for approval` };
  if (unseenCount > 0) {
    return { status: "info", word: `${unseenCount} of ${activeCount} wait for first heartbeat` };
  }
  return isStale ? { status: "unknown", word: "stale" } : { status: "good", word: "all nodes report" };
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
