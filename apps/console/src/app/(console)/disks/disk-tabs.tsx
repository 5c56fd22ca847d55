"use client";
import { TabLinks } from "@stashlight/ui/layout";
import { usePathname } from "next/navigation";

const tabs = [
  { href: "/disks", label: "Drives" },
  { href: "/disks/compare", label: "Compare" },
  { href: "/disks/failure-rates", label: "Failure rates" },
];

export function DiskTabs() {
  return <TabLinks label="Disks" currentPath={usePathname()} tabs={tabs} />;
}
