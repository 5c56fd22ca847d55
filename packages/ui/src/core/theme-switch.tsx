"use client";
import { Monitor, Moon, Sun } from "lucide-react";
import { cx } from "./cx.ts";
import { type Theme, useTheme } from "./theme.ts";

const choices: { theme: Theme; label: string; Icon: typeof Sun }[] = [
  { theme: "light", label: "Light", Icon: Sun },
  { theme: "dark", label: "Dark", Icon: Moon },
  { theme: "system", label: "System", Icon: Monitor },
];

/** Radio group for light, dark or system; `compact` shows icons alone. */
export function ThemeSwitch({ compact = false }: { compact?: boolean }) {
  const { theme, setTheme } = useTheme();
  return (
    <fieldset className="inline-flex w-fit rounded-md border border-control bg-surface p-px">
      <legend className="sr-only">Theme</legend>
      {choices.map(({ theme: choice, label, Icon }) => (
        <label
          key={choice}
          title={compact ? label : undefined}
          className={cx(
            "relative flex h-7 items-center gap-1.5 rounded-sm px-2 text-sm has-focus-visible:outline-2 has-focus-visible:outline-accent-ink",
            theme === choice ? "bg-accent-soft font-medium text-accent-ink" : "text-muted hover:text-ink",
          )}
        >
          <input
            type="radio"
            name="stashlight-theme"
            value={choice}
            checked={theme === choice}
            onChange={() => setTheme(choice)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          <Icon size={14} aria-hidden="true" />
          <span className={compact ? "sr-only" : undefined}>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
