"use client";
import { useSyncExternalStore } from "react";
import { THEME_KEY } from "./theme-script.ts";

export type Theme = "dark" | "light" | "system";

const CHANGE_EVENT = THEME_KEY;

function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  addEventListener(CHANGE_EVENT, onChange);
  addEventListener("storage", onChange);
  return () => {
    observer.disconnect();
    removeEventListener(CHANGE_EVENT, onChange);
    removeEventListener("storage", onChange);
  };
}

function readChoice(): Theme {
  const chosen = document.documentElement.dataset.themeChoice;
  return chosen === "dark" || chosen === "light" ? chosen : "system";
}

const readResolved = () => (document.documentElement.dataset.theme === "light" ? "light" : "dark");

/** Saves the choice and applies it at once in every tab. */
export function setTheme(theme: Theme): void {
  try {
    if (theme === "system") localStorage.removeItem(THEME_KEY);
    else localStorage.setItem(THEME_KEY, theme);
  } catch {
    // If the browser forbids storage, the theme changes on this page and is forgotten.
  }
  dispatchEvent(new CustomEvent(CHANGE_EVENT, { detail: theme }));
}

/** The chosen theme, and the one in effect; requires the inline `themeScript`. */
export function useTheme(): {
  theme: Theme;
  resolvedTheme: "dark" | "light";
  setTheme: (theme: Theme) => void;
} {
  const theme = useSyncExternalStore<Theme>(subscribe, readChoice, () => "system");
  const resolvedTheme = useSyncExternalStore<"dark" | "light">(subscribe, readResolved, () => "dark");
  return { theme, resolvedTheme, setTheme };
}
