"use client";
import { Ellipsis } from "lucide-react";
import { Button } from "../form/button.tsx";
import { Menu, type MenuProps } from "./menu.tsx";

/** Actions of a table's row or of a section, behind a button with three dots. */
export function ActionMenu({ label, items }: Pick<MenuProps, "label" | "items">) {
  const trigger = <Button variant="quiet" size="sm" icon={<Ellipsis />} aria-label={label} />;
  return <Menu label={label} align="end" trigger={trigger} items={items} />;
}
