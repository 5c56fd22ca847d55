import type { FleetNode } from "@stashlight/fleet";

/** A simulated node that may post. */
export interface Member {
  readonly node: FleetNode;
  readonly nodeId: string;
  readonly key: string;
}
