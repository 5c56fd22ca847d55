/** Formats the report as an e-mail: the same lines as plain text and as simple HTML. */

import { formatContamination } from "@stashlight/contracts/benchmark";
import { escapeHtml, plainText } from "@stashlight/contracts/escape";
import { formatMetricValue } from "@stashlight/contracts/metrics";
import { describeForecast } from "@stashlight/stats/forecast";
import type { Cause } from "./causes.ts";
import type { Fill } from "./fill.ts";
import type { WeekFacts } from "./read-week.ts";
import { type ComparedTail, slowerRatioMin, type Tail } from "./slower.ts";
import { weekInWords } from "./week.ts";

export interface Letter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface Section {
  readonly title: string;
  readonly lines: readonly string[];
  readonly link: { readonly words: string; readonly url: string };
}

const DRIVE_COUNT_MAX = 5;
const CAUSE_COUNT_MAX = 20;

const counted = (count: number, word: string): string =>
  `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
const lasted = (ms: number): string => formatMetricValue("seconds", ms / 1000);

export function composeLetter(facts: WeekFacts, publicUrl: string): Letter {
  const { week } = facts;
  const span = new URLSearchParams({ from: String(week.fromMs), to: String(week.toMs) });
  const at = (path: string, hasTime = false): string =>
    new URL(hasTime ? `${path}?${span}` : path, publicUrl).href;
  const sections = [
    {
      title: "What happened",
      lines: happened(facts.causes),
      link: { words: "Alerts", url: at("/alerts", true) },
    },
    {
      title: "Capacity forecast",
      lines: facts.fills.length === 0 ? ["No vault reported how full it is."] : facts.fills.map(fillLine),
      link: { words: "Vaults", url: at("/vaults", true) },
    },
    {
      title: "What got slower",
      lines: [...uploadLines(facts.uploads), ...driveLines(facts.drives)],
      link: { words: "fsync", url: at("/fsync", true) },
    },
    {
      title: "Benchmarks",
      lines: verdictLines(facts.verdicts),
      link: { words: "Benchmarks", url: at("/benchmarks") },
    },
  ].map((section): Section => ({ ...section, lines: section.lines.map(plainText) }));
  const title = `Stashlight, ${weekInWords(week)}`;
  const settings = at("/settings");
  return { subject: title, text: asText(title, sections, settings), html: asHtml(title, sections, settings) };
}

function happened(causes: readonly Cause[]): string[] {
  if (causes.length === 0) return ["No alert fired."];
  const lines = causes.slice(0, CAUSE_COUNT_MAX).map((cause) => {
    const { ruleName, severity, vault, spanCount, groupCount, totalMs, longestMs, isFiringAtEnd } = cause;
    const times = spanCount === 1 ? "once" : `${spanCount} times, ${lasted(longestMs)} at most`;
    const of = groupCount === 1 ? "" : `, of ${groupCount} series`;
    const end = isFiringAtEnd ? "; still firing at the end of the week" : "";
    return `${ruleName}${vault === "" ? "" : ` in ${vault}`} (${severity}): ${times}${of}, ${lasted(totalMs)} in all${end}.`;
  });
  const rest = causes.length - CAUSE_COUNT_MAX;
  return rest > 0 ? [...lines, `${counted(rest, "further cause")}.`] : lines;
}

function fillLine({ name, share, forecast }: Fill): string {
  const now = share === null || forecast.kind === "full" ? "" : `${formatMetricValue("share", share)} full, `;
  return `${name}: ${now}${describeForecast(forecast)}.`;
}

const tailWords = ({ p99, n }: Tail): string =>
  p99 === null
    ? `too few for a p99 (n ${n.toLocaleString("en")})`
    : `${formatMetricValue("seconds", p99)} (n ${n.toLocaleString("en")})`;

function changeWords({ now, before, ratio }: ComparedTail): string {
  const change = ratio === null ? "" : `, ${formatMetricValue("count", ratio)} times`;
  return `p99 ${tailWords(now)} against ${tailWords(before)} in the week before${change}`;
}

const uploadLines = (uploads: readonly ComparedTail[]): string[] =>
  uploads.length === 0
    ? ["No upload was measured."]
    : uploads.map((upload) => `Uploads, ${upload.name}: ${changeWords(upload)}.`);

function driveLines(drives: readonly ComparedTail[]): string[] {
  const comparable = drives.filter(({ ratio }) => ratio !== null);
  const slower = comparable.filter(({ ratio }) => (ratio ?? 0) >= slowerRatioMin);
  if (comparable.length === 0) return ["No drive has enough samples of both weeks for a p99."];
  if (slower.length === 0) {
    return [
      `No drive's fsync p99 rose by a fifth or more (${counted(comparable.length, "drive")} compared).`,
    ];
  }
  const rest = slower.length - DRIVE_COUNT_MAX;
  return [
    ...slower.slice(0, DRIVE_COUNT_MAX).map((drive) => `fsync, ${drive.name}: ${changeWords(drive)}.`),
    ...(rest > 0 ? [`${counted(rest, "further drive")} rose by a fifth or more.`] : []),
  ];
}

function verdictLines(verdicts: WeekFacts["verdicts"]): string[] {
  if (verdicts.length === 0) return ["No schedule has a verdict on two endpoints."];
  return verdicts.map(({ planName, sentence, contamination }) => {
    const caveat = contamination === null ? "" : ` ${formatContamination(contamination)}`;
    return `${planName}: ${sentence}${caveat}`;
  });
}

const origin = "You get this because you asked for the weekly report; turn it off in your settings:";

function asText(title: string, sections: readonly Section[], settings: string): string {
  const parts = sections.map(({ title: heading, lines, link }) =>
    [heading, "-".repeat(heading.length), ...lines.map((line) => `- ${line}`), link.url].join("\n"),
  );
  return `${[title, ...parts, `${origin} ${settings}`].join("\n\n")}\n`;
}

const linkTo = (url: string, words: string): string =>
  `<a href="${escapeHtml(url)}">${escapeHtml(words)}</a>`;

function asHtml(title: string, sections: readonly Section[], settings: string): string {
  const parts = sections.map(({ title: heading, lines, link }) => {
    const items = lines.map((line) => `<li>${escapeHtml(line)}</li>`).join("");
    return `<h2>${escapeHtml(heading)}</h2><ul>${items}</ul><p>${linkTo(link.url, link.words)}</p>`;
  });
  const foot = `<p>${escapeHtml(origin)} ${linkTo(settings, "Your settings")}</p>`;
  const head = `<meta charset="utf-8"><title>${escapeHtml(title)}</title>`;
  return `<!doctype html><html lang="en"><head>${head}</head><body style="font-family: sans-serif"><h1>${escapeHtml(title)}</h1>${parts.join("")}${foot}</body></html>\n`;
}
