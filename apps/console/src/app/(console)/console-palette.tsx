"use client";
import { setTheme } from "@stashlight/ui";
import { CommandPalette } from "@stashlight/ui/command-palette";
import { Keyboard, LogOut, MonitorCog, Moon, Sun } from "lucide-react";
import { pageKeywords } from "./page-keywords.ts";
import type { ConsolePage } from "./pages.tsx";

interface ConsolePaletteProps {
  pages: readonly ConsolePage[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onGo: (page: ConsolePage) => void;
  onHelp: () => void;
  onLeave: () => void;
}

/** Every page and action by name and by other words; fetched when it is opened first. */
export function ConsolePalette({ pages, open, onOpenChange, onGo, onHelp, onLeave }: ConsolePaletteProps) {
  const actions = [
    { id: "theme-dark", label: "Dark theme", icon: <Moon />, run: () => setTheme("dark") },
    { id: "theme-light", label: "Light theme", icon: <Sun />, run: () => setTheme("light") },
    { id: "theme-system", label: "Theme of the system", icon: <MonitorCog />, run: () => setTheme("system") },
    { id: "help", label: "Keyboard shortcuts", icon: <Keyboard />, shortcut: "?", run: onHelp },
    { id: "sign-out", label: "Sign out", icon: <LogOut />, run: onLeave },
  ];
  const items = [
    ...pages.map((page) => ({
      ...{ id: page.href, label: page.label, icon: page.icon, shortcut: page.shortcut },
      keywords: pageKeywords[page.href] ?? "",
      group: "Pages",
      run: () => onGo(page),
    })),
    ...actions.map((action) => ({ ...action, group: "Actions" })),
  ];
  return <CommandPalette open={open} onOpenChange={onOpenChange} items={items} />;
}
