/** Every page of the console: the one list behind navigation, command palette and keyboard shortcuts. */
import type { Role } from "@stashlight/contracts";
import {
  BellRing,
  CalendarClock,
  ChartNoAxesCombined,
  CloudUpload,
  Gauge,
  HeartPulse,
  Layers,
  RadioTower,
  Route,
  ScrollText,
  Send,
  Server,
  Timer,
  UserCog,
  Users,
} from "lucide-react";
import type { ReactElement } from "react";

export interface ConsolePage {
  href: string;
  label: string;
  group: "Watch" | "Admin" | "You";
  icon: ReactElement;
  shortcut: string;
  role: Role;
  /** Other words people look for it by. */
  keywords: string;
}

export const consolePages: ConsolePage[] = [
  {
    href: "/",
    label: "Overview",
    group: "Watch",
    icon: <Gauge />,
    shortcut: "g o",
    role: "viewer",
    keywords: "home start dashboard",
  },
  {
    href: "/write-path",
    label: "Write path",
    group: "Watch",
    icon: <Route />,
    shortcut: "g w",
    role: "viewer",
    keywords: "uploads waterfall trace slowest quorum encode fallbacks latency",
  },
  {
    href: "/stash",
    label: "Stash",
    group: "Watch",
    icon: <Layers />,
    shortcut: "g t",
    role: "viewer",
    keywords: "ssd occupancy purge lag time to full capacity",
  },
  {
    href: "/fsync",
    label: "fsync",
    group: "Watch",
    icon: <Timer />,
    shortcut: "g f",
    role: "viewer",
    keywords: "latency disk drive slow stall percentiles heatmap hdd ssd",
  },
  {
    href: "/vaults",
    label: "Vaults",
    group: "Watch",
    icon: <Server />,
    shortcut: "g v",
    role: "viewer",
    keywords: "nodes devices drives pods inventory fleet",
  },
  {
    href: "/benchmarks",
    label: "Benchmarks",
    group: "Watch",
    icon: <ChartNoAxesCombined />,
    shortcut: "g b",
    role: "viewer",
    keywords: "plans uploads compare b2 s3 schedule runs latency budget",
  },
  {
    href: "/alerts",
    label: "Alerts",
    group: "Watch",
    icon: <BellRing />,
    shortcut: "g l",
    role: "viewer",
    keywords: "rules firing silence history thresholds notifications",
  },
  {
    href: "/system",
    label: "Telemetry",
    group: "Watch",
    icon: <RadioTower />,
    shortcut: "g y",
    role: "viewer",
    keywords: "system ingest lag spool gaps clock skew refused agents cost cpu memory monitoring",
  },
  {
    href: "/jobs",
    label: "Jobs",
    group: "Watch",
    icon: <CalendarClock />,
    shortcut: "g j",
    role: "viewer",
    keywords: "schedules runs worker history",
  },
  {
    href: "/health",
    label: "System health",
    group: "Watch",
    icon: <HeartPulse />,
    shortcut: "g h",
    role: "viewer",
    keywords: "database disk versions status",
  },
  {
    href: "/admin/users",
    label: "Users",
    group: "Admin",
    icon: <Users />,
    shortcut: "g u",
    role: "admin",
    keywords: "people roles invite sessions",
  },
  {
    href: "/admin/nodes",
    label: "Nodes",
    group: "Admin",
    icon: <Server />,
    shortcut: "g n",
    role: "admin",
    keywords: "enrol agents keys tokens approve revoke machines",
  },
  {
    href: "/admin/channels",
    label: "Channels",
    group: "Admin",
    icon: <Send />,
    shortcut: "g c",
    role: "admin",
    keywords: "webhook slack e-mail smtp notifications alerts",
  },
  {
    href: "/admin/endpoints",
    label: "Endpoints",
    group: "Admin",
    icon: <CloudUpload />,
    shortcut: "g e",
    role: "operator",
    keywords: "benchmarks buckets b2 s3 credentials access keys prices regions",
  },
  {
    href: "/admin/audit",
    label: "Audit log",
    group: "Admin",
    icon: <ScrollText />,
    shortcut: "g a",
    role: "admin",
    keywords: "events history export verify",
  },
  {
    href: "/settings",
    label: "Your settings",
    group: "You",
    icon: <UserCog />,
    shortcut: "g s",
    role: "viewer",
    keywords: "profile password two-factor sessions theme account",
  },
];
