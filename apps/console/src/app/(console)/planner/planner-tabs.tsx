"use client";
import { TabLinks } from "@stashlight/ui/layout";
import { usePathname } from "next/navigation";

const tabs = [
  { href: "/planner/volumes", label: "Volumes" },
  { href: "/planner/drives", label: "Drives" },
];

/** Tabs of the model pages, which need no fleet. */
export function ModelTabs() {
  return <TabLinks label="Models" currentPath={usePathname()} tabs={tabs} />;
}
