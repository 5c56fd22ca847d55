import type { FleetNode } from "@stashlight/fleet";

/** A simulated node that is allowed to post. */
export interface Member {
  readonly node: FleetNode;
  readonly nodeId: string;
  readonly key: string;
}
