import { SAMPLE_AHEAD_MS_MAX } from "@stashlight/contracts/metrics";
import type { NodeRow } from "@stashlight/contracts/node";
import { MINUTE_MS } from "@stashlight/contracts/time/duration";
import { formatSpan, type Status } from "@stashlight/ui";

/** Clock offset from which a node's windows visibly differ from those of others. */
export const skewWarningMs = 2_000;

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

/** "+12 ms", "−2.5 s", "+15 min": offset of a node's clock from the server's. */
export function formatSkew(skewMs: number): string {
  const size = Math.abs(skewMs);
  const seconds = size < MINUTE_MS ? `${(size / 1000).toFixed(1)} s` : formatSpan(size);
  const amount = size < 1000 ? `${size.toFixed(0)} ms` : seconds;
  if (amount === "0 ms") return amount;
  return `${skewMs < 0 ? "−" : "+"}${amount}`;
}

/** Returns true if an active node reports, and its clock is off. */
export const isClockWrong = ({ status, skewMs, silentSeconds }: Omit<ClockOfNode, "name">): boolean =>
  status === "active" && skewMs !== null && silentSeconds === null && Math.abs(skewMs) > skewWarningMs;

type ClockOfNode = Pick<NodeRow, "name" | "status" | "skewMs" | "silentSeconds">;

/**
 * "The clock of a1 is 15 min ahead of the server's, and 2 more nodes have wrong clocks.": the node whose clock is off
 * most; null if the clocks of all nodes that report are right.
 */
export function describeClocks(nodes: readonly ClockOfNode[]): { title: string; effect: string } | null {
  const apart = nodes
    .filter(isClockWrong)
    .toSorted((one, other) => Math.abs(other.skewMs ?? 0) - Math.abs(one.skewMs ?? 0));
  const [worst, ...others] = apart;
  if (worst === undefined) return null;
  const { skewMs } = worst;
  const offset = `${formatSpan(Math.abs(skewMs ?? 0))} ${(skewMs ?? 0) > 0 ? "ahead of" : "behind"} the server's`;
  const more =
    others.length === 0
      ? ""
      : `, and ${others.length === 1 ? "one more node has a wrong clock" : `${others.length} more nodes have wrong clocks`}`;
  const isRefused = apart.some((node) => (node.skewMs ?? 0) > SAMPLE_AHEAD_MS_MAX);
  const refused = `, and those more than ${formatSpan(SAMPLE_AHEAD_MS_MAX)} ahead are not stored`;
  return {
    title: `The clock of ${worst.name} is ${offset}${more}.`,
    effect: `Measurements carry the wrong time${isRefused ? refused : ""}. Correct the clock.`,
  };
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
