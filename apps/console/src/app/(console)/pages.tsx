/** Every page of the console: the single list behind navigation, command palette and keyboard shortcuts. */
import type { Role } from "@stashlight/contracts/user";
import {
  BellRing,
  BookOpenText,
  Calculator,
  CalendarClock,
  ChartNoAxesCombined,
  ChartSpline,
  CloudUpload,
  Disc3,
  FlaskConical,
  Gauge,
  HardDrive,
  HeartPulse,
  KeyRound,
  Layers,
  LayoutDashboard,
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

/** Navigation groups in order: the console's three jobs, then administration. */
export const navigationGroups = ["Watch", "Measure", "Plan", "Manage"] as const;
type NavigationGroupName = (typeof navigationGroups)[number];

export interface ConsolePage {
  href: string;
  label: string;
  /** Pages without a group concern the reader: the account menu and the palette lead to them. */
  group?: NavigationGroupName;
  icon: ReactElement;
  shortcut: string;
  role: Role;
  /** Set for pages whose charts share one time range, which links between them keep. */
  showsTime?: true;
}

/** Describes a page; it is visible to every role unless a role is given. */
function page(
  group: NavigationGroupName | null,
  href: string,
  label: string,
  icon: ReactElement,
  shortcut: string,
  more: Partial<Pick<ConsolePage, "role" | "showsTime">> = {},
): ConsolePage {
  return { href, label, icon, shortcut, role: "viewer", ...(group && { group }), ...more };
}

/** Kept small, because every page loads it first. */
export const consolePages: ConsolePage[] = [
  page("Watch", "/", "Overview", <Gauge />, "g o", { showsTime: true }),
  page("Watch", "/write-path", "Write path", <Route />, "g w", { showsTime: true }),
  page("Watch", "/stash", "Stash", <Layers />, "g t", { showsTime: true }),
  page("Watch", "/fsync", "fsync", <Timer />, "g f", { showsTime: true }),
  page("Watch", "/vaults", "Vaults", <Server />, "g v", { showsTime: true }),
  page("Watch", "/buckets", "Buckets", <HardDrive />, "g q"),
  page("Watch", "/explorer", "Explorer", <ChartSpline />, "g x", { showsTime: true }),
  page("Watch", "/dashboards", "Dashboards", <LayoutDashboard />, "g r"),
  page("Watch", "/alerts", "Alerts", <BellRing />, "g l"),
  page("Measure", "/benchmarks", "Benchmarks", <ChartNoAxesCombined />, "g b"),
  page("Measure", "/disks", "Disks", <Disc3 />, "g d"),
  page("Measure", "/admin/endpoints", "Endpoints", <CloudUpload />, "g e", { role: "operator" }),
  page("Plan", "/planner", "Planner", <Calculator />, "g p"),
  page("Plan", "/planner/volumes", "Volume models", <HardDrive />, "g m"),
  page("Plan", "/simulator", "Simulator", <FlaskConical />, "g i"),
  page("Manage", "/admin/nodes", "Nodes", <Server />, "g n", { role: "admin" }),
  page("Manage", "/admin/access-keys", "Access keys", <KeyRound />, "g k", { role: "admin" }),
  page("Manage", "/admin/users", "Users", <Users />, "g u", { role: "admin" }),
  page("Manage", "/admin/channels", "Channels", <Send />, "g c", { role: "admin" }),
  page("Manage", "/admin/audit", "Audit log", <ScrollText />, "g a", { role: "admin" }),
  page("Manage", "/system", "Telemetry", <RadioTower />, "g y", { showsTime: true }),
  page("Manage", "/jobs", "Jobs", <CalendarClock />, "g j"),
  page("Manage", "/health", "System health", <HeartPulse />, "g h"),
  page(null, "/settings", "Your settings", <UserCog />, "g s"),
  page(null, "/settings/api-tokens", "API tokens", <KeyRound />, "g x"),
  page(null, "/help/glossary", "Glossary", <BookOpenText />, "g g"),
];
