"use client";
import { type ObjectName, parseObjectName } from "@stashlight/contracts/object-location";
import type { Found, FoundKind } from "@stashlight/contracts/search";
import { lazyPart, setTheme } from "@stashlight/ui";
import { CommandPalette } from "@stashlight/ui/command-palette";
import { keepPreviousData, skipToken, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  BellRing,
  Boxes,
  Calculator,
  ChartNoAxesCombined,
  CloudUpload,
  FlaskConical,
  HardDrive,
  Keyboard,
  LayoutDashboard,
  ListChecks,
  LogOut,
  MonitorCog,
  Moon,
  Play,
  Route,
  Server,
  Sun,
  UserRound,
  Waypoints,
} from "lucide-react";
import { type ReactElement, useEffect, useState } from "react";
import { useTRPC } from "../../client/trpc.tsx";
import { pageKeywords } from "./page-keywords.ts";
import type { ConsolePage } from "./pages.tsx";

const ObjectDialog = lazyPart(async () => (await import("./object-location/object-dialog.tsx")).ObjectDialog);

interface ConsolePaletteProps {
  pages: readonly ConsolePage[];
  overviewHref: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  takeKeysAhead: () => string;
  onGo: (page: ConsolePage) => void;
  onGoTo: (href: string) => void;
  /** Permission to look up an object's shards. */
  mayLocate: boolean;
  onHelp: () => void;
  onLeave: () => void;
}

const looks: Record<FoundKind, { group: string; icon: ReactElement }> = {
  vault: { group: "Vaults", icon: <Waypoints /> },
  node: { group: "Nodes", icon: <Server /> },
  drive: { group: "Drives", icon: <HardDrive /> },
  dashboard: { group: "Dashboards", icon: <LayoutDashboard /> },
  endpoint: { group: "Endpoints", icon: <CloudUpload /> },
  "benchmark plan": { group: "Benchmark schedules", icon: <ChartNoAxesCombined /> },
  run: { group: "Runs", icon: <Play /> },
  "capacity plan": { group: "Plans", icon: <Calculator /> },
  simulation: { group: "Simulations", icon: <FlaskConical /> },
  "alert rule": { group: "Alert rules", icon: <BellRing /> },
  upload: { group: "Uploads", icon: <Route /> },
  user: { group: "Users", icon: <UserRound /> },
};

/** Search over pages, actions and named items of the installation; loaded when first opened. */
export function ConsolePalette(props: ConsolePaletteProps) {
  const { pages, overviewHref, open, onOpenChange, takeKeysAhead, onGo, onGoTo, mayLocate, onHelp, onLeave } =
    props;
  const [typed, setTyped] = useState("");
  const [located, setLocated] = useState<ObjectName | null>(null);
  const showFirstSteps = useShowFirstSteps(() => onGoTo(overviewHref));
  const { found, isSearching } = useFound(open ? typed.trim() : "");
  const actions = [
    { id: "theme-dark", label: "Dark theme", icon: <Moon />, run: () => setTheme("dark") },
    { id: "theme-light", label: "Light theme", icon: <Sun />, run: () => setTheme("light") },
    { id: "theme-system", label: "System theme", icon: <MonitorCog />, run: () => setTheme("system") },
    { id: "first-steps", label: "Show first steps", icon: <ListChecks />, run: showFirstSteps },
    { id: "help", label: "Keyboard shortcuts", icon: <Keyboard />, shortcut: "?", run: onHelp },
    { id: "sign-out", label: "Sign out", icon: <LogOut />, run: onLeave },
  ];
  const object = parseObjectName(typed.trim());
  const items = [
    ...pages.map((page) => ({
      id: page.href,
      label: page.label,
      icon: page.icon,
      shortcut: page.shortcut,
      keywords: pageKeywords[page.href] ?? "",
      group: "Pages",
      run: () => onGo(page),
    })),
    ...actions.map((action) => ({ ...action, group: "Actions" })),
    ...found.map(({ kind, id, label, detail, href }) => ({
      id: `${kind} ${id}`.replaceAll(/\s/g, "-"),
      label,
      detail,
      ...looks[kind],
      // Repeats the query, because the server matches hidden fields too.
      keywords: typed,
      run: () => onGoTo(href),
    })),
    ...(object === null
      ? []
      : [
          {
            id: "object",
            group: "Objects",
            icon: <Boxes />,
            keywords: typed,
            label: `Where are the shards of ${object.bucket}/${object.key}?`,
            run: () => setLocated(object),
          },
        ]),
  ];
  return (
    <>
      <CommandPalette
        open={open}
        onOpenChange={(next) => {
          setTyped("");
          onOpenChange(next);
        }}
        items={items}
        takeKeysAhead={takeKeysAhead}
        onQueryChange={setTyped}
        isSearching={isSearching}
      />
      {located && <ObjectDialog object={located} mayAsk={mayLocate} onClose={() => setLocated(null)} />}
    </>
  );
}

const none: Found[] = [];
const LENGTH_MIN = 2;
/** Waits for a pause in typing before it searches. */
const PAUSE_MS = 120;

/** Keeps old results while new ones load, and drops them with their query. */
function useFound(text: string): { found: readonly Found[]; isSearching: boolean } {
  const trpc = useTRPC();
  const [asked, setAsked] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const isAsked = text.length >= LENGTH_MIN;
  const answer = useQuery(
    trpc.search.find.queryOptions(isAsked && asked.length >= LENGTH_MIN ? { text: asked } : skipToken, {
      placeholderData: keepPreviousData,
    }),
  );
  return {
    found: isAsked ? (answer.data ?? none) : none,
    isSearching: isAsked && (asked !== text || answer.isFetching),
  };
}

function useShowFirstSteps(onShown: () => void): () => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const hide = useMutation(
    trpc.account.hideFirstSteps.mutationOptions({
      onSuccess: () => {
        void queryClient.invalidateQueries(trpc.account.firstSteps.queryFilter());
        onShown();
      },
    }),
  );
  return () => hide.mutate({ isHidden: false });
}
