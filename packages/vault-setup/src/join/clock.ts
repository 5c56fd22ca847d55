/** Checks this machine's clock against its certificates and the console's clock. */
import { X509Certificate } from "node:crypto";
import { clockMarks } from "@stashlight/contracts/thresholds";
import { DAY_MS, MINUTE_MS } from "@stashlight/contracts/time";
import type { BundleContent } from "../bundle/bundle.ts";
import { SetupError } from "../setup-error.ts";

const { skewMsMax } = clockMarks;

/** Throws a SetupError for a bundle that has expired, or that is from the future by this clock. */
export function checkValidity({ files, machine, issuedAt }: BundleContent, nowMs: number): void {
  if (Date.parse(issuedAt) - nowMs > skewMsMax) {
    throw new SetupError(
      `This machine's clock shows ${timeText(nowMs)}, but the bundle was created at ${timeText(Date.parse(issuedAt))}; set the clock, for example with chrony or systemd-timesyncd.`,
    );
  }
  for (const [path, text] of Object.entries(files)) {
    if (!path.endsWith(".pem")) continue;
    const untilMs = new X509Certificate(text).validToDate.getTime();
    if (untilMs > nowMs) continue;
    const days = Math.floor((nowMs - untilMs) / DAY_MS);
    throw new SetupError(
      `The certificate ${path} of this bundle expired ${agoText(days)}, at ${timeText(untilMs)}; create another bundle with: vault bundle ${machine}.`,
    );
  }
}

/** Returns a warning if the console cannot be reached. Throws a SetupError if the clock differs from the console's. */
export async function checkConsoleClock(ingest: string, nowMs: () => number): Promise<string | null> {
  let consoleMs: number;
  try {
    const answer = await fetch(new URL("/healthz", ingest), { signal: AbortSignal.timeout(ASK_WITHIN_MS) });
    consoleMs = Date.parse(answer.headers.get("date") ?? "") + HALF_SECOND_MS;
  } catch (error) {
    const { cause, message } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    return `The console's ingest ${ingest} cannot be reached (${reason || "no answer"}); the nodes keep their measurements, and enrol once it answers.`;
  }
  const skewMs = nowMs() - consoleMs;
  if (Number.isNaN(skewMs) || Math.abs(skewMs) <= skewMsMax) return null;
  const direction = skewMs > 0 ? "ahead of" : "behind";
  throw new SetupError(
    `This machine's clock is ${apartText(Math.abs(skewMs))} ${direction} the console's at ${ingest}, where ${skewMsMax / 1000} s are allowed; set it, for example with chrony or systemd-timesyncd.`,
  );
}

const ASK_WITHIN_MS = 5000;
/** The Date header has whole seconds, rounded down. */
const HALF_SECOND_MS = 500;

const apartText = (ms: number): string =>
  ms < 2 * MINUTE_MS ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / MINUTE_MS)} min`;

const agoText = (days: number): string => (days === 0 ? "today" : `${days} day${days === 1 ? "" : "s"} ago`);

const timeText = (ms: number): string =>
  new Date(ms)
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, " UTC");
