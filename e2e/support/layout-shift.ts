import { expect, type Page } from "@playwright/test";
import { expectLoaded } from "./loaded.ts";

declare global {
  interface Window {
    /** Shifts since the page was opened, recorded by the init script of `watchLayoutShift`. */
    layoutShifts?: { readonly value: number; readonly moved: readonly string[] }[];
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

/** Requests that are held back until the page has been drawn without their answers. */
const DATA = /\/api\/trpc\//;

export interface LayoutShiftWatch {
  /** Opens the page, holds back its data until placeholders are drawn, and resolves to the sum of all shifts. */
  measure(path: string): Promise<{ readonly total: number; readonly shifts: readonly string[] }>;
}

/** Times in a question that differ by less than this count as equal, because a live page advances. */
const SAME_MOMENT_MS = 10 * 60_000;

/**
 * Sums the layout shifts that the browser reports, except those after a click or a key. Data is held back until the
 * placeholders are drawn, so that the sum does not depend on which comes first. A repeated question gets its first
 * answer, because a new one would show what other tests did to the installation meanwhile.
 */
export async function watchLayoutShift(page: Page): Promise<LayoutShiftWatch> {
  let release = Promise.resolve();
  let openedAtMs = 0;
  let answers = new Map<string, Promise<unknown>>();
  await page.addInitScript(recordShifts);
  await page.route(DATA, async (route) => {
    const request = route.request();
    const questions = listQuestions(new URL(request.url()), request.postData()).map((question) =>
      withRoughTimes(question, openedAtMs),
    );
    const known = answers;
    if (questions.some((question) => !known.has(question))) {
      const answered = release.then(async () => {
        const response = await route.fetch();
        expect(response.ok(), `${request.url()} is answered with ${response.status()}`).toBe(true);
        return (await response.json()) as unknown[];
      });
      for (const [at, question] of questions.entries()) {
        if (!known.has(question))
          known.set(
            question,
            answered.then((batch) => batch[at]),
          );
      }
    }
    const batch = await Promise.all(questions.map((question) => known.get(question)));
    await route.fulfill({ json: batch });
  });
  return {
    async measure(path) {
      answers = new Map();
      openedAtMs = Date.now();
      let open = (): void => {};
      release = new Promise((resolve) => {
        open = resolve;
      });
      await page.goto(path);
      await drawn(page);
      open();
      await expectLoaded(page);
      await scrollThrough(page);
      await drawn(page);
      const shifts = await page.evaluate(() => window.layoutShifts ?? []);
      expect(shifts, `${path} records shifts`).toBeInstanceOf(Array);
      // Leaves the page, which then asks no more, so that the next page gets its own answers.
      await page.goto("about:blank");
      await Promise.allSettled(answers.values());
      const total = shifts.reduce((sum, { value }) => sum + value, 0);
      return { total, shifts: shifts.map(({ value, moved }) => `${value.toFixed(4)}: ${moved.join("; ")}`) };
    },
  };
}

/** Splits a request into its questions: each procedure with its input. */
function listQuestions({ pathname, searchParams }: URL, body: string | null): string[] {
  const inputs = JSON.parse(body ?? searchParams.get("input") ?? "{}") as Readonly<Record<string, unknown>>;
  const procedures = pathname.slice(pathname.lastIndexOf("/") + 1).split(",");
  return procedures.map((procedure, at) => `${procedure} ${JSON.stringify(inputs[at] ?? null)}`);
}

/**
 * Replaces each time in milliseconds by its rough distance from when the page was opened. The offset of a fifth keeps
 * the ends of usual ranges, which are whole or half multiples of that distance back, away from where rounding changes.
 */
const withRoughTimes = (question: string, openedAtMs: number): string =>
  question.replace(/\b\d{13}\b/g, (moment) =>
    Math.floor((Number(moment) - openedAtMs) / SAME_MOMENT_MS + 0.2).toString(),
  );

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

/** Waits for two frames: the second one begins after the first has been drawn. */
const drawn = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  });

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
