/** A node of the vault "local" that reports, for tests. */
import type { NodeRow } from "@stashlight/contracts/node";

/** Time of the tests that use such nodes. */
export const nowMs = Date.parse("2026-11-21T12:00:00Z");

export const node = (part: Partial<NodeRow>): NodeRow => ({
  id: "0193d7a0-0000-7000-8000-000000000000",
  name: "stash-1",
  vault: "local",
  role: "stash",
  status: "active",
  isSimulated: false,
  agentVersion: null,
  enrolmentTokenId: null,
  createdAt: new Date(nowMs - 3_600_000),
  lastSeenAt: new Date(nowMs - 5_000),
  silentSeconds: null,
  skewMs: null,
  spoolBytes: null,
  s3: null,
  ...part,
});
