import type { Role } from "@stashlight/contracts/user";

export interface ConsolePage {
  path: string;
  title: string;
  group: "Watch" | "Measure" | "Plan" | "Manage" | null;
  role: Role;
}

/** In the order of the navigation; the account menu leads to pages without a group. */
export const pages: ConsolePage[] = [
  { path: "/", title: "Overview", group: "Watch", role: "viewer" },
  { path: "/write-path", title: "Write path", group: "Watch", role: "viewer" },
  { path: "/stash", title: "Stash", group: "Watch", role: "viewer" },
  { path: "/fsync", title: "fsync", group: "Watch", role: "viewer" },
  { path: "/vaults", title: "Vaults", group: "Watch", role: "viewer" },
  { path: "/buckets", title: "Buckets", group: "Watch", role: "viewer" },
  { path: "/explorer", title: "Explorer", group: "Watch", role: "viewer" },
  { path: "/dashboards", title: "Dashboards", group: "Watch", role: "viewer" },
  { path: "/alerts", title: "Alerts", group: "Watch", role: "viewer" },
  { path: "/benchmarks", title: "Benchmarks", group: "Measure", role: "viewer" },
  { path: "/disks", title: "Disks", group: "Measure", role: "viewer" },
  { path: "/admin/endpoints", title: "Endpoints", group: "Measure", role: "operator" },
  { path: "/planner", title: "Planner", group: "Plan", role: "viewer" },
  { path: "/planner/volumes", title: "Volume models", group: "Plan", role: "viewer" },
  { path: "/simulator", title: "Simulator", group: "Plan", role: "viewer" },
  { path: "/admin/nodes", title: "Nodes", group: "Manage", role: "admin" },
  { path: "/admin/access-keys", title: "Access keys", group: "Manage", role: "admin" },
  { path: "/admin/users", title: "Users", group: "Manage", role: "admin" },
  { path: "/admin/channels", title: "Channels", group: "Manage", role: "admin" },
  { path: "/admin/audit", title: "Audit log", group: "Manage", role: "admin" },
  { path: "/system", title: "Telemetry", group: "Manage", role: "viewer" },
  { path: "/jobs", title: "Jobs", group: "Manage", role: "viewer" },
  { path: "/health", title: "System health", group: "Manage", role: "viewer" },
  { path: "/settings", title: "Your settings", group: null, role: "viewer" },
  { path: "/settings/api-tokens", title: "API tokens", group: null, role: "viewer" },
  { path: "/help/glossary", title: "Glossary", group: null, role: "viewer" },
];
