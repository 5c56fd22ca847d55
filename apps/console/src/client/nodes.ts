import type { NodeRow } from "@stashlight/contracts/node";
import type { Status } from "@stashlight/ui";

export type NodeState = "pending" | "unseen" | "reporting" | "silent" | "revoked";

export const nodeStates: Record<NodeState, { label: string; status: Status }> = {
  pending: { label: "Waits for approval", status: "warning" },
  unseen: { label: "Waits for its first heartbeat", status: "info" },
  reporting: { label: "Reporting", status: "good" },
  silent: { label: "Silent", status: "bad" },
  revoked: { label: "Revoked", status: "unknown" },
};

export function nodeState({
  status,
  lastSeenAt,
  silentSeconds,
}: Pick<NodeRow, "status" | "lastSeenAt" | "silentSeconds">): NodeState {
  if (status !== "active") return status;
  if (lastSeenAt === null) return "unseen";
  return silentSeconds === null ? "reporting" : "silent";
}

interface Enrolment {
  token: string;
  role: NodeRow["role"];
  ingestUrl: string;
}

/** Roles whose agents read the vault's file; the others need the ingest's address as an option. */
export const isOfVault = (role: NodeRow["role"]): boolean => role !== "probe" && role !== "host";

/**
 * Command that starts and enrols an agent. NAME is the node's id in the vault's file; FOLDER is on the drive whose
 * syncs a host agent times.
 */
export function installCommand({ token, role, ingestUrl }: Enrolment): string {
  const agent = isOfVault(role)
    ? "node/src/main.ts --config vault.json --node NAME"
    : `${role}/src/main.ts --ingest ${ingestUrl} --name NAME --state ${role}${role === "host" ? " --fsync FOLDER" : ""}`;
  return [
    `(umask 077; echo ${token} > enrolment.token)`,
    `node tools/bootstrap.mjs agents/${agent} \\`,
    "  --enrolment-token-file enrolment.token",
  ].join("\n");
}

/** Setting in the vault's file for the ingest to which its nodes send measurements. */
export const telemetrySetting = (ingestUrl: string): string =>
  `"telemetry": ${JSON.stringify({ ingest: ingestUrl }).replace(":", ": ")}`;
