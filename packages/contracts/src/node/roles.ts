/** Role of an agent on its machine. */
export const nodeRoles = ["pod", "stash", "coordinator", "probe", "host"] as const;
export type NodeRole = (typeof nodeRoles)[number];

/** `pending` waits for an admin, `revoked` is refused for good. Only reports of active nodes are kept. */
export const nodeStatuses = ["pending", "active", "revoked"] as const;
export type NodeStatus = (typeof nodeStatuses)[number];

export const nodeRoleDescriptions: Record<NodeRole, string> = {
  pod: "Holds shards on HDD.",
  stash: "Holds shards on SSD until a pod has them.",
  coordinator: "Takes uploads and spreads their shards.",
  probe: "Measures uploads for benchmarks.",
  host: "Watches the drives of any Linux machine.",
};
