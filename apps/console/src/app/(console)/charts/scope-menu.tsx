"use client";
import { buttonClass } from "@stashlight/ui/form";
import { Menu, type MenuItem } from "@stashlight/ui/menu";
import { useKnownVaults } from "../../../client/metrics/known-vaults.tsx";
import { everyVault, withVault } from "../../../client/metrics/scope.ts";
import { useChosenVaults, useScope } from "../../../client/metrics/use-scope.ts";
import { ScopeFace } from "./scope-face.tsx";

/** Chooses the vaults that the whole page covers. */
export function ScopeMenu() {
  const known = useKnownVaults();
  const { words } = useScope();
  const { chosen, setChosen } = useChosenVaults();
  const hasOthers = known.some(({ isSimulated, isRetired }) => isSimulated || isRetired);
  const isEvery = chosen?.includes(everyVault) ?? false;
  const items: MenuItem[] = [
    {
      id: " unchosen",
      label: hasOthers ? "All measured vaults" : "All vaults",
      checked: chosen === null,
      onCheckedChange: () => setChosen(null),
    },
    ...(hasOthers
      ? [
          {
            id: " every",
            label: "All, including simulated and revoked",
            checked: isEvery,
            onCheckedChange: (checked: boolean) => setChosen(checked ? [everyVault] : null),
          },
        ]
      : []),
    { id: " line", separator: true },
    ...known.map(({ name, isSimulated, isRetired }) => ({
      id: name,
      label: `${name}${isSimulated ? " · simulated" : isRetired ? " · revoked" : ""}`,
      checked: chosen?.includes(name) ?? false,
      onCheckedChange: (checked: boolean) => setChosen(withVault(chosen, name, checked)),
    })),
  ];
  return (
    <Menu
      label="Vaults that this page shows"
      align="start"
      trigger={
        <button type="button" aria-label={`Scope: ${words}`} className={buttonClass("secondary")}>
          <ScopeFace words={words} />
        </button>
      }
      items={items}
    />
  );
}
