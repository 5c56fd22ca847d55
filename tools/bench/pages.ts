/**
 * What people wait for: each page of a running console, in a browser, from the click to the last chart, and what the
 * server needs for each question that the page asks. `STASHLIGHT_BENCH_URL` names the console, and
 * `STASHLIGHT_BENCH_SETUP` the link that makes its first admin, or `STASHLIGHT_BENCH_EMAIL` and
 * `STASHLIGHT_BENCH_PASSWORD` somebody who can sign in.
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
/** Of the slowest questions, so many are told. */
const TOLD_MAX = 12;

const pages = ["/", "/vaults", "/fsync", "/stash", "/write-path", "/system", "/alerts", "/admin/nodes"];
const ranges = ["", "?from=now-24h", "?from=now-30d"];
const rangedPages = new Set(["/", "/vaults", "/fsync", "/stash", "/write-path"]);

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
    for (const path of pages) {
      for (const range of rangedPages.has(path) ? ranges : [""]) {
        measurements.push(...(await measurePage(context, `${url}${path}${range}`, `${path}${range}`, say)));
      }
    }
    return measurements;
  } finally {
    await browser.close();
  }
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
  if (!response.ok()) throw new Error(`Signing in gave ${response.status()}.`);
  return context;
}

/** The first round also makes what is made once, and does not count. */
async function measurePage(
  context: BrowserContext,
  address: string,
  name: string,
  say: (line: string) => void,
): Promise<Measurement[]> {
  const times: number[] = [];
  const viewTimes: number[] = [];
  let asked: readonly Question[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const page = await context.newPage();
    try {
      const loaded = await load(page, address, say);
      asked = loaded.asked;
      if (round === 0) continue;
      times.push(loaded.ms);
      viewTimes.push(loaded.viewMs);
    } finally {
      await page.close();
    }
  }
  const list = (all: readonly number[]) => all.map((ms) => Math.round(ms)).join(", ");
  say(`${name}: in view ${list(viewTimes)} ms, all of it ${list(times)} ms`);
  const answers = await answerAlone(context, new URL(address).origin, asked);
  for (const { what, ms } of answers.sort((a, b) => b.ms - a.ms).slice(0, TOLD_MAX)) {
    say(`  ${String(Math.round(ms)).padStart(6)} ms  ${what}`);
  }
  return [
    { name: `${name}, what is in view`, value: median(viewTimes), unit: "ms", against: TARGET },
    { name: `${name}, all of it`, value: median(times), unit: "ms", against: TARGET },
  ];
}

async function load(
  page: Page,
  address: string,
  say: (line: string) => void,
): Promise<{ ms: number; viewMs: number; asked: readonly Question[] }> {
  const asked: Question[] = [];
  page.on("requestfinished", (request) => {
    if (request.url().includes("/api/trpc/")) asked.push(...questionsOf(request));
  });
  const startedMs = performance.now();
  await page.goto(address, { waitUntil: "commit" });
  await page.getByRole("heading", { level: 1 }).waitFor({ timeout: LOADED_WITHIN_MS });
  let viewMs: number | null = null;
  // What is asked for only when an earlier answer is there shows as busy in between.
  for (;;) {
    const busy = await countBusy(page);
    const ms = performance.now() - startedMs;
    if (busy.inView === 0) viewMs ??= ms;
    if (busy.all === 0) return { ms, viewMs: viewMs ?? ms, asked };
    if (ms > LOADED_WITHIN_MS) {
      say(`  ${address} was not loaded after ${LOADED_WITHIN_MS / 1000} s.`);
      return { ms, viewMs: viewMs ?? ms, asked };
    }
    await delay(POLL_MS);
  }
}

/** What still waits for its data, on all of the page and in the window. */
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

interface Question {
  readonly procedure: string;
  /** As the browser sent it. */
  readonly input: unknown;
}

/** A request carries several. */
function questionsOf(request: Request): Question[] {
  const { pathname, searchParams } = new URL(request.url());
  const procedures = decodeURIComponent(pathname.split("/api/trpc/")[1] ?? "").split(",");
  const inputs = JSON.parse(request.postData() ?? searchParams.get("input") ?? "{}") as Record<
    string,
    unknown
  >;
  return procedures.map((procedure, i) => ({ procedure, input: inputs[i] }));
}

/** Each question of a page once more and by itself, which says what the server needs for it. */
async function answerAlone(
  context: BrowserContext,
  url: string,
  asked: readonly Question[],
): Promise<Answer[]> {
  const questions = new Map(asked.map((each) => [nameOf(each), each]));
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

/** The procedure, and of questions to the metric store the metric, its groups and its number of points. */
function nameOf({ procedure, input }: Question): string {
  const { metric, where, groupBy, pointCountMax } =
    (input as { json?: Record<string, unknown> } | undefined)?.json ?? {};
  if (typeof metric !== "string") return procedure;
  const groups = Array.isArray(groupBy) && groupBy.length > 0 ? ` by ${groupBy.join(", ")}` : "";
  const condition = where == null ? "" : ` ${JSON.stringify(where)}`;
  const points = pointCountMax == null ? "" : `, ${String(pointCountMax)} points`;
  return `${procedure} ${metric.replace("stashlight_", "")}${condition}${groups}${points}`;
}
