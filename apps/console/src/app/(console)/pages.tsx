/** Every page of the console: the one list behind navigation, command palette and keyboard shortcuts. */
import type { Role } from "@stashlight/contracts/user/roles";
import {
  BellRing,
  BookOpenText,
  Calculator,
  CalendarClock,
  ChartNoAxesCombined,
  CloudUpload,
  Disc3,
  FlaskConical,
  Gauge,
  HardDrive,
  HeartPulse,
  KeyRound,
  KeySquare,
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

/** The groups of the navigation, in its order: the console's three jobs, and what keeps them running. */
export const navigationGroups = ["Watch", "Measure", "Plan", "Manage"] as const;
type NavigationGroupName = (typeof navigationGroups)[number];

export interface ConsolePage {
  href: string;
  label: string;
  /** Pages without a group are about the reader: the account's menu and the palette lead to them. */
  group?: NavigationGroupName;
  icon: ReactElement;
  shortcut: string;
  role: Role;
  /** Its charts show one time, which goes along from one such page to the next. */
  showsTime?: true;
}

export const consolePages: ConsolePage[] = [
  {
    href: "/",
    label: "Overview",
    group: "Watch",
    icon: <Gauge />,
    shortcut: "g o",
    role: "viewer",
    showsTime: true,
  },
  {
    href: "/write-path",
    label: "Write path",
    group: "Watch",
    icon: <Route />,
    shortcut: "g w",
    role: "viewer",
    showsTime: true,
  },
  {
    href: "/stash",
    label: "Stash",
    group: "Watch",
    icon: <Layers />,
    shortcut: "g t",
    role: "viewer",
    showsTime: true,
  },
  {
    href: "/fsync",
    label: "fsync",
    group: "Watch",
    icon: <Timer />,
    shortcut: "g f",
    role: "viewer",
    showsTime: true,
  },
  {
    href: "/vaults",
    label: "Vaults",
    group: "Watch",
    icon: <Server />,
    shortcut: "g v",
    role: "viewer",
    showsTime: true,
  },
  {
    href: "/alerts",
    label: "Alerts",
    group: "Watch",
    icon: <BellRing />,
    shortcut: "g l",
    role: "viewer",
  },
  {
    href: "/benchmarks",
    label: "Benchmarks",
    group: "Measure",
    icon: <ChartNoAxesCombined />,
    shortcut: "g b",
    role: "viewer",
  },
  {
    href: "/disks",
    label: "Disks",
    group: "Measure",
    icon: <Disc3 />,
    shortcut: "g d",
    role: "viewer",
  },
  {
    href: "/admin/endpoints",
    label: "Endpoints",
    group: "Measure",
    icon: <CloudUpload />,
    shortcut: "g e",
    role: "operator",
  },
  {
    href: "/planner",
    label: "Planner",
    group: "Plan",
    icon: <Calculator />,
    shortcut: "g p",
    role: "viewer",
  },
  {
    href: "/planner/volumes",
    label: "Volume models",
    group: "Plan",
    icon: <HardDrive />,
    shortcut: "g m",
    role: "viewer",
  },
  {
    href: "/simulator",
    label: "Simulator",
    group: "Plan",
    icon: <FlaskConical />,
    shortcut: "g i",
    role: "viewer",
  },
  {
    href: "/admin/nodes",
    label: "Nodes",
    group: "Manage",
    icon: <Server />,
    shortcut: "g n",
    role: "admin",
  },
  {
    href: "/admin/access-keys",
    label: "Access keys",
    group: "Manage",
    icon: <KeyRound />,
    shortcut: "g k",
    role: "admin",
  },
  {
    href: "/admin/users",
    label: "Users",
    group: "Manage",
    icon: <Users />,
    shortcut: "g u",
    role: "admin",
  },
  {
    href: "/admin/channels",
    label: "Channels",
    group: "Manage",
    icon: <Send />,
    shortcut: "g c",
    role: "admin",
  },
  {
    href: "/admin/audit",
    label: "Audit log",
    group: "Manage",
    icon: <ScrollText />,
    shortcut: "g a",
    role: "admin",
  },
  {
    href: "/system",
    label: "Telemetry",
    group: "Manage",
    icon: <RadioTower />,
    shortcut: "g y",
    role: "viewer",
    showsTime: true,
  },
  {
    href: "/jobs",
    label: "Jobs",
    group: "Manage",
    icon: <CalendarClock />,
    shortcut: "g j",
    role: "viewer",
  },
  {
    href: "/health",
    label: "System health",
    group: "Manage",
    icon: <HeartPulse />,
    shortcut: "g h",
    role: "viewer",
  },
  {
    href: "/settings",
    label: "Your settings",
    icon: <UserCog />,
    shortcut: "g s",
    role: "viewer",
  },
  {
    href: "/settings/api-tokens",
    label: "API tokens",
    icon: <KeySquare />,
    shortcut: "g x",
    role: "viewer",
  },
  {
    href: "/help/glossary",
    label: "Glossary",
    icon: <BookOpenText />,
    shortcut: "g g",
    role: "viewer",
  },
];
