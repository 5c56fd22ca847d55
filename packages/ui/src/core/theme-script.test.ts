import { expect, test } from "vitest";
import { THEME_KEY, themeScript } from "./theme-script.ts";

type Saved = string | null | "forbidden";

/** Runs the script in a small fake browser; returns its effect on <html> and a way to fire its listeners. */
function runScript(saved: Saved, systemIsLight: boolean) {
  const listeners = new Map<string, (event?: { detail: string }) => void>();
  const system = { matches: systemIsLight, change: () => {} };
  const html = { dataset: {} as Record<string, string>, style: { colorScheme: "" } };
  const frames: (() => void)[] = [];
  const browser = {
    document: { documentElement: html },
    matchMedia: () => ({
      get matches() {
        return system.matches;
      },
      addEventListener: (_name: string, run: () => void) => {
        system.change = run;
      },
    }),
    localStorage: {
      getItem: (key: string) => {
        if (saved === "forbidden") throw new Error("Storage is forbidden.");
        return key === THEME_KEY ? saved : null;
      },
    },
    addEventListener: (name: string, run: () => void) => listeners.set(name, run),
    requestAnimationFrame: (run: () => void) => frames.push(run),
  };
  new Function(...Object.keys(browser), themeScript)(...Object.values(browser));
  const drawFrame = () => {
    for (const run of frames.splice(0)) run();
  };
  return { html, system, drawFrame, fire: (name: string, detail = "") => listeners.get(name)?.({ detail }) };
}

test.each<[Saved, boolean, string, string]>([
  [null, false, "dark", "system"],
  [null, true, "light", "system"],
  ["dark", true, "dark", "dark"],
  ["light", false, "light", "light"],
  ["nonsense", true, "light", "system"],
  ["forbidden", false, "dark", "system"],
])(
  "with %s saved and a light system %s, the page is %s and the choice %s",
  (saved, systemIsLight, theme, choice) => {
    const { html } = runScript(saved, systemIsLight);
    expect(html.dataset).toEqual({ theme, themeChoice: choice });
    expect(html.style.colorScheme).toBe(theme);
  },
);

test("transitions between themes are suppressed until the recoloured frame is drawn", () => {
  const { html, fire, drawFrame } = runScript("dark", false);
  expect(html.dataset.recoloured).toBeUndefined();
  fire(THEME_KEY, "light");
  expect(html.dataset.recoloured).toBe("");
  drawFrame();
  expect(html.dataset.recoloured).toBe("");
  drawFrame();
  expect(html.dataset).toEqual({ theme: "light", themeChoice: "light" });
  fire(THEME_KEY, "system");
  fire(THEME_KEY, "dark");
  drawFrame();
  drawFrame();
  expect(html.dataset.recoloured).toBeUndefined();
});

test("the theme follows the system and a new choice, and is light in print", () => {
  const { html, system, fire, drawFrame } = runScript(null, false);
  system.matches = true;
  system.change();
  expect(html.dataset.theme).toBe("light");
  fire(THEME_KEY, "dark");
  drawFrame();
  drawFrame();
  expect(html.dataset).toEqual({ theme: "dark", themeChoice: "dark" });
  fire("beforeprint");
  expect(html.dataset.theme).toBe("light");
  fire("afterprint");
  expect(html.dataset.theme).toBe("dark");
});
