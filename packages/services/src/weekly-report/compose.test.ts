import { HOUR_MS, WEEK_MS } from "@stashlight/contracts/time";
import { expect, test } from "vitest";
import { composeLetter } from "./compose.ts";
import type { WeekFacts } from "./read-week.ts";
import { lastWeeks } from "./week.ts";

const url = "https://stashlight.example.org";

test.each([
  ["Monday at 8", "2026-11-23T07:00:00Z", "Europe/Berlin", "2026-11-16", "2026-11-15T23:00:00.000Z"],
  [
    "the following Sunday night",
    "2026-11-29T22:59:59Z",
    "Europe/Berlin",
    "2026-11-16",
    "2026-11-15T23:00:00.000Z",
  ],
  ["the Monday after", "2026-11-29T23:00:00Z", "Europe/Berlin", "2026-11-23", "2026-11-22T23:00:00.000Z"],
  [
    "a Sunday night elsewhere",
    "2026-11-23T04:00:00Z",
    "America/New_York",
    "2026-11-09",
    "2026-11-09T05:00:00.000Z",
  ],
])("the last complete week is found on %s", (_, now, timeZone, name, from) => {
  const { week, before } = lastWeeks(new Date(now), timeZone);
  expect([week.name, new Date(week.fromMs).toISOString()]).toEqual([name, from]);
  expect([week.toMs - week.fromMs, before.toMs]).toEqual([WEEK_MS, week.fromMs]);
});

test("a week in which the clocks go back is an hour longer", () => {
  const { week } = lastWeeks(new Date("2026-10-26T07:00:00Z"), "Europe/Berlin");
  expect(week.toMs - week.fromMs).toBe(WEEK_MS + HOUR_MS);
});

const { week } = lastWeeks(new Date("2026-11-23T07:00:00Z"), "UTC");
const nothing: WeekFacts = { week, causes: [], fills: [], uploads: [], drives: [], verdicts: [] };
const tail = (p99: number | null, n: number) => ({ p99, n });
const facts: WeekFacts = {
  ...nothing,
  causes: [
    {
      ruleName: "Slow <fsync>",
      severity: "warning",
      vault: "main",
      spanCount: 2,
      groupCount: 21,
      totalMs: 3 * HOUR_MS,
      longestMs: 2 * HOUR_MS,
      isFiringAtEnd: true,
    },
  ],
  fills: [
    {
      name: "Vault main",
      share: 0.43,
      forecast: {
        kind: "filling",
        spanMs: 7 * 24 * HOUR_MS,
        sampleCount: 400,
        fullInMs: { value: 260 * HOUR_MS, low: 240 * HOUR_MS, high: 290 * HOUR_MS },
        growthPerDay: { value: 1, low: 0.9, high: 1.1 },
      },
    },
    {
      name: "Vault young",
      share: 0.1,
      forecast: {
        kind: "none",
        reason: { kind: "short-history", spanMs: HOUR_MS, neededMs: 6 * HOUR_MS, isChange: false },
      },
    },
    { name: "Vault old", share: 0.97, forecast: { kind: "full" } },
  ],
  uploads: [{ name: "main stash", now: tail(0.03, 40_000), before: tail(0.02, 38_000), ratio: 1.5 }],
  drives: [
    { name: "main / stash-1 / s1", now: tail(0.06, 5_000), before: tail(0.02, 5_000), ratio: 3 },
    { name: "main / stash-1 / s2", now: tail(0.02, 5_000), before: tail(0.02, 5_000), ratio: 1 },
    { name: "main / stash-1 / s3", now: tail(null, 12), before: tail(0.02, 5_000), ratio: null },
  ],
};

test("the e-mail lists causes, forecasts and tails with their samples, and links to the console", () => {
  const { subject, text } = composeLetter(facts, url);
  expect(subject).toBe("Stashlight, 16 to 22 November 2026");
  expect(text).toContain(
    "- Slow <fsync> in main (warning): 2 times, 2 h at most, of 21 series, 3 h in all; still firing at the end of the week.",
  );
  expect(text).toContain("- Vault main: 43 % full, full in 10 to 12 days, from 7 days of history.");
  expect(text).toContain("- Vault young: 10 % full, no forecast: 60 minutes of history, 6 hours are needed.");
  expect(text).toContain("- Vault old: full.");
  expect(text).toContain(
    "- Uploads, main stash: p99 30 ms (n 40,000) against 20 ms (n 38,000) in the week before, 1.5 times.",
  );
  expect(text).toContain("- fsync, main / stash-1 / s1: p99 60 ms (n 5,000) against 20 ms (n 5,000)");
  expect(text).not.toMatch(/fsync, main \/ stash-1 \/ s[23]/);
  expect(text).toContain(`${url}/alerts?from=${week.fromMs}&to=${week.toMs}`);
  expect(text).toContain(`${url}/settings`);
});

test("the HTML has the same lines, and no name in it becomes markup", () => {
  const { html, text } = composeLetter(facts, url);
  expect(html).toContain("Slow &lt;fsync&gt; in main");
  expect(html).not.toContain("<fsync>");
  expect(html.match(/<li>/g)).toHaveLength(text.match(/^- /gm)?.length ?? 0);
  expect(html).toContain(`<a href="${url}/alerts?from=${week.fromMs}&amp;to=${week.toMs}">Alerts</a>`);
  expect(html).not.toMatch(/<script|<img/);
});

test("a week without data is reported as such in each part", () => {
  const { text } = composeLetter(nothing, url);
  for (const sentence of [
    "No alert fired.",
    "No vault reported how full it is.",
    "No upload was measured.",
    "No drive has enough samples of both weeks for a p99.",
    "No schedule has a verdict on two endpoints.",
  ]) {
    expect(text).toContain(sentence);
  }
});

test("drives that did not get slower are only counted", () => {
  const drives = facts.drives.slice(1);
  expect(composeLetter({ ...nothing, drives }, url).text).toContain(
    "No drive's fsync p99 rose by a fifth or more (1 drive compared).",
  );
});
