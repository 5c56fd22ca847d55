/** Comparison of a vault's drive with the drives in the same role at the same load. */
import { z } from "zod";

export const drivePeersInput = z.object({ nodeId: z.uuid(), device: z.string().min(1).max(200) });
export type DrivePeersInput = z.infer<typeof drivePeersInput>;

/** One window: what a drive did, and how long a sync took on average. */
export interface PeerPoint {
  readonly bytesPerSecond: number;
  readonly latencySeconds: number;
}

export interface DrivePeers {
  /** `unknown`: too few peers or reports. */
  readonly state: "unknown" | "as peers" | "watch" | "slow";
  /** Verdict, with what to do about it. */
  readonly sentence: string;
  /** Start of the first slow hour; null if there is none. */
  readonly sinceMs: number | null;
  readonly peerCount: number;
  readonly windowSeconds: number;
  /** Cost of the quarantine of a slow drive, or why it is replaced; null for others, and while it is not known. */
  readonly quarantine: string | null;
  readonly own: readonly PeerPoint[];
  readonly peers: readonly PeerPoint[];
  /** Expected latency at each throughput, and the limit above which an hour counts as slow. */
  readonly curve: readonly (PeerPoint & { readonly limitSeconds: number })[];
}
