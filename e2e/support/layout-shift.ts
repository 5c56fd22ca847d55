import { expect, type Page } from "@playwright/test";
import { expectLoaded } from "./loaded.ts";

declare global {
  interface Window {
    /** Shifts since the page was opened, recorded by the init script of `watchLayoutShift`. */
    layoutShifts?: { readonly value: number; readonly moved: readonly string[] }[];
    /** The page's data, which its init script holds back. */
    heldData?: {
      readonly release: () => void;
      /** Requests answered with an error status. */
      readonly refused: readonly string[];
      /** Waits for two frames: the second one begins after the first has been drawn. */
      readonly drawn: () => Promise<void>;
      /** Waits until the page has been drawn with all responses, and returns the requests without one. */
      readonly settled: (withinMs: number) => Promise<string[]>;
    };
  }
}

interface LayoutShiftEntry extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRectReadOnly;
    readonly currentRect: DOMRectReadOnly;
  }[];
}

/** Path of the requests that are held back until the page has been drawn without their answers. */
const DATA_PATH = "/api/trpc/";

export interface LayoutShiftWatch {
  /** Opens the page, holds back its data until placeholders are drawn, and resolves to the sum of all shifts. */
  measure(path: string): Promise<{ readonly total: number; readonly shifts: readonly string[] }>;
}

const SETTLED_WITHIN_MS = 30_000;

/** Times in a question that differ by less than this count as equal, because a live page advances. */
const SAME_MOMENT_MS = 10 * 60_000;

/**
 * Sums the layout shifts that the browser reports, except those after a click or a key. Data is held back until the
 * placeholders are drawn, so that the sum does not depend on which comes first.
 */
export async function watchLayoutShift(page: Page): Promise<LayoutShiftWatch> {
  await page.addInitScript(recordShifts);
  // Playwright's own interception would switch off the browser's cache, and each page load its scripts again.
  await page.addInitScript(holdData, { dataPath: DATA_PATH, sameMomentMs: SAME_MOMENT_MS });
  return {
    async measure(path) {
      await page.goto(path);
      await drawn(page);
      await page.evaluate(() => window.heldData?.release());
      await expectLoaded(page);
      await scrollThrough(page);
      const unanswered = await page.evaluate((ms) => window.heldData?.settled(ms), SETTLED_WITHIN_MS);
      expect(unanswered, `requests of ${path} without an answer`).toEqual([]);
      await drawn(page);
      const { shifts, refused } = await page.evaluate(() => ({
        shifts: window.layoutShifts,
        refused: window.heldData?.refused,
      }));
      expect(refused, `requests of ${path} that were not answered`).toEqual([]);
      if (shifts === undefined) throw new Error(`${path} records no shifts.`);
      const total = shifts.reduce((sum, { value }) => sum + value, 0);
      return { total, shifts: shifts.map(({ value, moved }) => `${value.toFixed(4)}: ${moved.join("; ")}`) };
    },
  };
}

/**
 * Runs in the page. Its clock does not run, and a repeated question gets its first answer, because a new one would show
 * what other tests did to the installation meanwhile.
 */
function holdData({ dataPath, sameMomentMs }: { dataPath: string; sameMomentMs: number }): void {
  const { fetch } = window;
  // Holds the clock at a whole second: on a slow machine figures would become stale, because answers stay the first ones.
  const openedAtMs = Math.floor(Date.now() / 1000) * 1000;
  Date.now = () => openedAtMs;
  const answers = new Map<string, Promise<unknown>>();
  const refused: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  /**
   * Replaces each time in milliseconds by its rough distance from when the page was opened. The offset of a fifth keeps
   * the ends of usual ranges, which are whole or half multiples of that distance back, away from where rounding changes.
   */
  const withRoughTimes = (question: string): string =>
    question.replace(/\b\d{13}\b/g, (moment) =>
      Math.floor((Number(moment) - openedAtMs) / sameMomentMs + 0.2).toString(),
    );
  /** Splits a request into its questions: each procedure with its input. */
  const listQuestions = ({ pathname, searchParams }: URL, body: unknown): string[] => {
    const text = typeof body === "string" ? body : (searchParams.get("input") ?? "{}");
    const inputs = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const procedures = pathname.slice(pathname.lastIndexOf("/") + 1).split(",");
    return procedures.map((name, at) => withRoughTimes(`${name} ${JSON.stringify(inputs[at] ?? null)}`));
  };
  let lastDrawn: Promise<void> = released;
  const drawn = async (): Promise<void> => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  };
  const unanswered = new Set<string>();
  const settled = async (withinMs: number): Promise<string[]> => {
    const deadline = new Promise<void>((resolve) => setTimeout(resolve, withinMs));
    for (let seen: Promise<void> | null = null; seen !== lastDrawn; ) {
      seen = lastDrawn;
      await Promise.race([seen, deadline]);
    }
    return [...unanswered];
  };
  window.heldData = { release, refused, drawn, settled };
  /** Delivers responses one at a time, each after the page has been drawn with the one before. */
  const inTurn = async <T>(answer: () => Promise<T>): Promise<T> => {
    const given = lastDrawn.then(answer);
    lastDrawn = given.then(drawn, drawn);
    return given;
  };
  const ask = async (input: RequestInfo | URL, init?: RequestInit): Promise<unknown[]> => {
    await released;
    // Other requests share the answer, so leaving the part of the page that asked does not cancel it.
    const response = await fetch(input, { ...init, signal: null });
    if (!response.ok) refused.push(`${response.url}: ${response.status}`);
    return response.json();
  };
  window.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, location.href);
    if (!url.pathname.startsWith(dataPath)) return fetch(input, init);
    const questions = listQuestions(url, init?.body);
    if (questions.some((question) => !answers.has(question))) {
      const batch = ask(input, init);
      for (const [at, question] of questions.entries())
        if (!answers.has(question))
          answers.set(
            question,
            batch.then((each) => each[at]),
          );
    }
    unanswered.add(url.href);
    const answered = Promise.all(questions.map((question) => answers.get(question)));
    return Response.json(await inTurn(() => answered.finally(() => unanswered.delete(url.href))));
  };
}

/** Scrolls through the whole page, because some parts query their data only when they are in view. */
async function scrollThrough(page: Page): Promise<void> {
  for (let isAtEnd = false; !isAtEnd; ) {
    isAtEnd = await page.evaluate(() => {
      scrollBy(0, innerHeight);
      return scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
    });
    await drawn(page);
    await expectLoaded(page);
  }
}

const drawn = (page: Page) => page.evaluate(() => window.heldData?.drawn());

/** Runs in the page. */
function recordShifts(): void {
  const shifts: { value: number; moved: string[] }[] = [];
  window.layoutShifts = shifts;
  const describe = ({ node, previousRect, currentRect }: LayoutShiftEntry["sources"][number]): string => {
    const element = node instanceof Element ? node : node?.parentElement;
    const text = (node?.textContent ?? "").trim().slice(0, 40);
    const from = `${Math.round(previousRect.y)}+${Math.round(previousRect.height)}`;
    return `${element?.tagName.toLowerCase()}.${element?.className} "${text}" ${from} -> ${Math.round(currentRect.y)}+${Math.round(currentRect.height)}`;
  };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as LayoutShiftEntry[]) {
      if (entry.hadRecentInput) continue;
      shifts.push({ value: entry.value, moved: entry.sources.map(describe) });
    }
  }).observe({ type: "layout-shift", buffered: true });
}
