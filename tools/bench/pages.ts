/**
 * Waiting times of users: each page of a running console, in a browser, opened directly and by a click in the
 * navigation, to the last chart; and the server's time for each of the page's queries. `STASHLIGHT_BENCH_URL` names the
 * console, and `STASHLIGHT_BENCH_SETUP` the link that creates its first admin, or `STASHLIGHT_BENCH_EMAIL` and
 * `STASHLIGHT_BENCH_PASSWORD` a user who can sign in. `STASHLIGHT_BENCH_PATHS` names other pages instead, separated by
 * commas, such as the results of a plan, which are opened directly.
 */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Browser, type BrowserContext, chromium, type Page, type Request } from "@playwright/test";
import { chromiumFlags, findChromium } from "../chromium.ts";
import { repositoryRoot } from "../run/environment.ts";
import type { Measurement } from "./measurement.ts";
import { setUp } from "./page-scripts.ts";
import { median } from "./rounds.ts";

const TARGET = { name: "500 ms", value: 500 };
const ROUNDS = 3;
const LOADED_WITHIN_MS = 120_000;
const POLL_MS = 25;
/** Number of slowest queries to print. */
const TOLD_MAX = 12;

/** Keyed by name in the navigation. */
const pages = {
  Overview: "/",
  Vaults: "/vaults",
  fsync: "/fsync",
  Stash: "/stash",
  "Write path": "/write-path",
  Telemetry: "/system",
  Alerts: "/alerts",
  Nodes: "/admin/nodes",
} as const;
const ranges = ["", "?from=now-24h", "?from=now-30d"];
const rangedPages: ReadonlySet<string> = new Set(["/", "/vaults", "/fsync", "/stash", "/write-path"]);

interface Answer {
  readonly what: string;
  readonly ms: number;
}

export async function benchPages(say: (line: string) => void): Promise<Measurement[]> {
  const url = process.env.STASHLIGHT_BENCH_URL;
  if (url === undefined) {
    throw new Error(
      "Set STASHLIGHT_BENCH_URL to the console that is to be measured, such as http://localhost:4680.",
    );
  }
  const executablePath = await findChromium({
    cacheFolder: join(repositoryRoot, "node_modules/.cache/chromium"),
    environment: process.env,
    say,
  });
  const browser = await chromium.launch({ executablePath, args: chromiumFlags() });
  try {
    const context = await signedIn(browser, url);
    const measurements: Measurement[] = [];
    const paths = (process.env.STASHLIGHT_BENCH_PATHS ?? "").split(",").filter(Boolean);
    for (const path of paths) measurements.push(...(await measureOpened({ context, url, path }, say)));
    if (paths.length > 0) return measurements;
    for (const [label, path] of Object.entries(pages)) {
      for (const range of rangedPages.has(path) ? ranges : [""]) {
        try {
          measurements.push(...(await measurePage({ context, url, label, path, range }, say)));
        } catch (error) {
          // The values of the other pages still count.
          say(`${path}${range} has no figures: ${(error as Error).message}`);
        }
      }
    }
    if (measurements.length === 0) throw new Error("No page was loaded, so there are no figures.");
    return measurements;
  } finally {
    await browser.close();
  }
}

/** Measures a page outside the navigation. */
async function measureOpened(
  { context, url, path }: Omit<Visit, "label" | "range">,
  say: (line: string) => void,
): Promise<Measurement[]> {
  const loads: Loaded[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const load = await openAnew({ context, url, path, range: "", label: "" }, []);
    if (round > 0) loads.push(load);
  }
  say(
    `${path}: ${loads.map(({ viewMs, ms }) => `in view ${viewMs.toFixed(0)} ms, all ${ms.toFixed(0)} ms`).join("; ")}`,
  );
  const row = (what: string, times: readonly number[]): Measurement => ({
    name: `${path}, ${what}`,
    value: median(times),
    unit: "ms",
    against: { name: "1 s", value: 1000 },
  });
  return [
    row(
      "what is in view",
      loads.map(({ viewMs }) => viewMs),
    ),
    row(
      "all of it",
      loads.map(({ ms }) => ms),
    ),
  ];
}

async function signedIn(browser: Browser, url: string): Promise<BrowserContext> {
  const { STASHLIGHT_BENCH_SETUP, STASHLIGHT_BENCH_EMAIL, STASHLIGHT_BENCH_PASSWORD } = process.env;
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
  });
  if (STASHLIGHT_BENCH_SETUP !== undefined) {
    await setUp(await context.newPage(), STASHLIGHT_BENCH_SETUP, url);
    return context;
  }
  const response = await context.request.post(`${url}/api/auth/sign-in/email`, {
    headers: { origin: url },
    data: { email: STASHLIGHT_BENCH_EMAIL, password: STASHLIGHT_BENCH_PASSWORD },
  });
  if (!response.ok()) throw new Error(`The sign-in was answered with ${response.status()}.`);
  return context;
}

interface Visit {
  readonly context: BrowserContext;
  readonly url: string;
  readonly label: string;
  readonly path: string;
  /** Query string of the address. */
  readonly range: string;
}

interface Loaded {
  readonly ms: number;
  readonly viewMs: number;
}

/** Measures a page, directly and by a click; the first round does the one-time work and does not count. */
async function measurePage(visit: Visit, say: (line: string) => void): Promise<Measurement[]> {
  const { context, url, path, range } = visit;
  const opened: Loaded[] = [];
  const clicked: Loaded[] = [];
  const asked: Question[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const anew = await openAnew(visit, asked);
    const byClick = await comeByClick(visit);
    if (round === 0) continue;
    opened.push(anew);
    clicked.push(byClick);
  }
  const name = `${path}${range}`;
  const list = (all: readonly number[]) => all.map((ms) => Math.round(ms)).join(", ");
  const measurements: Measurement[] = [];
  for (const [how, loads] of [
    ["anew", opened],
    ["by a click", clicked],
  ] as const) {
    const [views, alls] = [loads.map(({ viewMs }) => viewMs), loads.map(({ ms }) => ms)];
    say(`${name} ${how}: in view ${list(views)} ms, all of it ${list(alls)} ms`);
    measurements.push(
      { name: `${name} ${how}, what is in view`, value: median(views), unit: "ms", against: TARGET },
      { name: `${name} ${how}, all of it`, value: median(alls), unit: "ms", against: TARGET },
    );
  }
  const answers = await answerAlone(context, url, asked);
  for (const { what, ms } of answers.sort((a, b) => b.ms - a.ms).slice(0, TOLD_MAX)) {
    say(`  ${String(Math.round(ms)).padStart(6)} ms  ${what}`);
  }
  return measurements;
}

async function openAnew({ context, url, path, range }: Visit, asked: Question[]): Promise<Loaded> {
  const page = await context.newPage();
  try {
    page.on("requestfinished", (request) => {
      if (request.url().includes("/api/trpc/")) asked.push(...parseQuestions(request));
    });
    const startedMs = performance.now();
    await page.goto(`${url}${path}${range}`, { waitUntil: "commit" });
    return await untilLoaded(page, startedMs);
  } finally {
    await page.close();
  }
}

/** Clicks from another page with charts of the same time range, in an open console. */
async function comeByClick({ context, url, label, path, range }: Visit): Promise<Loaded> {
  const page = await context.newPage();
  try {
    await page.goto(`${url}${path === "/system" ? "/stash" : "/system"}${range}`);
    await untilLoaded(page, performance.now());
    const link = page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: label, exact: true });
    const startedMs = performance.now();
    await link.click();
    await page.waitForURL((address) => address.pathname === path);
    return await untilLoaded(page, startedMs);
  } finally {
    await page.close();
  }
}

async function untilLoaded(page: Page, startedMs: number): Promise<Loaded> {
  await page.getByRole("heading", { level: 1 }).waitFor({ timeout: LOADED_WITHIN_MS });
  let viewMs: number | null = null;
  // Queries that depend on an earlier answer show as busy in between.
  for (;;) {
    const busy = await countBusy(page);
    const ms = performance.now() - startedMs;
    if (busy.inView === 0) viewMs ??= ms;
    if (busy.all === 0) return { ms, viewMs: viewMs ?? ms };
    if (ms > LOADED_WITHIN_MS) {
      const waiting = (await namesOfBusy(page)).join(", ");
      throw new Error(`${page.url()} still waits after ${LOADED_WITHIN_MS / 1000} s for: ${waiting}`);
    }
    await delay(POLL_MS);
  }
}

/** Elements that still wait for data, on the whole page and in the viewport. */
function countBusy(page: Page): Promise<{ all: number; inView: number }> {
  const height = page.viewportSize()?.height ?? 0;
  return page.locator("[aria-busy=true], [data-skeleton]").evaluateAll((busy, windowHeight) => {
    const inView = busy.filter((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return bottom > 0 && top < windowHeight;
    });
    return { all: busy.length, inView: inView.length };
  }, height);
}

/** Headings of the page's sections that still wait. */
function namesOfBusy(page: Page): Promise<string[]> {
  return page.locator("[aria-busy=true], [data-skeleton]").evaluateAll((busy) => [
    ...new Set(
      busy.map((element) => {
        const part = element.closest("section, figure, article") ?? element;
        const heading = part.querySelector("h1, h2, h3, h4, figcaption")?.textContent;
        return heading ?? part.getAttribute("aria-label") ?? part.tagName.toLowerCase();
      }),
    ),
  ]);
}

interface Question {
  readonly procedure: string;
  /** As sent by the browser. */
  readonly input: unknown;
}

/** Splits a request into the queries that it carries. */
function parseQuestions(request: Request): Question[] {
  const { pathname, searchParams } = new URL(request.url());
  const procedures = decodeURIComponent(pathname.split("/api/trpc/")[1] ?? "").split(",");
  const inputs = JSON.parse(request.postData() ?? searchParams.get("input") ?? "{}") as Record<
    string,
    unknown
  >;
  return procedures.map((procedure, i) => ({ procedure, input: inputs[i] }));
}

/** Repeats each query of a page alone, to measure the server's time for it. */
async function answerAlone(
  context: BrowserContext,
  url: string,
  asked: readonly Question[],
): Promise<Answer[]> {
  const questions = new Map(asked.map((each) => [questionName(each), each]));
  const answers: Answer[] = [];
  for (const [what, { procedure, input }] of questions) {
    const startedMs = performance.now();
    const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
    const response = await context.request.get(`${url}/api/trpc/${procedure}${query}`, {
      timeout: LOADED_WITHIN_MS,
    });
    const ms = performance.now() - startedMs;
    answers.push({ what: response.ok() ? what : `${what}: ${response.status()}`, ms });
  }
  return answers;
}

/** The procedure, and for queries to the metric store the metric, its groups and its number of points. */
function questionName({ procedure, input }: Question): string {
  const { metric, where, groupBy, pointCountMax } =
    (input as { json?: Record<string, unknown> } | undefined)?.json ?? {};
  if (typeof metric !== "string") return procedure;
  const groups = Array.isArray(groupBy) && groupBy.length > 0 ? ` by ${groupBy.join(", ")}` : "";
  const condition = where == null ? "" : ` ${JSON.stringify(where)}`;
  const points = pointCountMax == null ? "" : `, ${String(pointCountMax)} points`;
  return `${procedure} ${metric.replace("stashlight_", "")}${condition}${groups}${points}`;
}
