/**
 * An upload's trace as rows of bars: durations, the shards that the answer waited for, and those too late to count.
 * Times count from the first known event of the upload.
 */

import { firstMomentUs, type UploadTraceData } from "@stashlight/contracts/upload";
import { type ChartTone, type DisplayUnit, formatWith, makeValueAxis } from "@stashlight/ui/chart";
import { formatSeconds } from "./upload-duration.ts";

export interface WaterfallBar {
  readonly id: string;
  readonly tone: ChartTone;
  /** Share of the axis, from 0 to 1. */
  readonly from: number;
  readonly to: number;
  /** The end is unknown, because no answer arrived. */
  readonly isOpen: boolean;
  /** The step ended after the upload was answered. */
  readonly isLate: boolean;
  readonly label: string;
}

export interface WaterfallRow {
  readonly id: string;
  readonly label: string;
  /** Stacked vertically. */
  readonly lanes: readonly (WaterfallBar | null)[];
}

export interface WaterfallMoment {
  readonly id: string;
  readonly label: string;
  readonly tone: ChartTone;
  readonly at: number;
  /** "12.1 ms". */
  readonly time: string;
}

export interface Waterfall {
  readonly unit: DisplayUnit;
  readonly ticks: readonly { readonly at: number; readonly label: string }[];
  readonly rows: readonly WaterfallRow[];
  readonly moments: readonly WaterfallMoment[];
  /** Critical step of the upload, in a sentence. */
  readonly summary: string;
}

/** The axis ends at this multiple of the answer time: one late shard would otherwise compress all the others. */
const AXIS_ANSWERS_MAX = 2;

type Shard = UploadTraceData["shards"][number];

/** Microseconds since the first event. */
type FromStart = (us: number | null) => number | null;

export function prepareWaterfall(trace: UploadTraceData): Waterfall {
  const firstUs = firstMomentUs(trace);
  const since: FromStart = (us) => (us === null ? null : us - firstUs);
  const answeredUs = trace.totalUs - firstUs;
  const arrivals = trace.shards.flatMap((shard) => [shard.podWrittenUs, shard.stashDurableUs]);
  const latestUs = Math.max(answeredUs, ...arrivals.map((us) => since(us) ?? 0));
  const shownUs = Math.min(latestUs, AXIS_ANSWERS_MAX * answeredUs);
  const { axis, unit } = makeValueAxis({ quantity: "seconds", values: [shownUs / 1e6], mayBeLog: false });
  const place = (us: number) => Math.min(1, Math.max(0, us / 1e6 / axis.max));
  const say = (us: number) => (us === 0 ? formatWith(unit, 0) : formatSeconds(us / 1e6));
  const barOf = barMaker({ place, say, answeredUs });
  const step = (id: string, label: string, { startUs, endUs }: UploadTraceData["encode"]): WaterfallRow[] =>
    startUs === null
      ? []
      : [{ id, label, lanes: [barOf(id, "coordinator", label, since(startUs), since(endUs))] }];
  return {
    unit,
    ticks: axis.ticks.map(({ at, label }) => ({ at: at / axis.max, label })),
    rows: [
      ...step("verify", "verify", trace.verify),
      ...step("encode", "encode", trace.encode),
      ...trace.shards.map(
        (shard): WaterfallRow => ({
          id: `shard-${shard.index}`,
          label: `${shard.index}`,
          lanes: [
            barOf(
              `pod-${shard.index}`,
              "pod",
              `shard ${shard.index}, pod`,
              since(shard.podSentUs),
              since(shard.podWrittenUs),
            ),
            barOf(
              `stash-${shard.index}`,
              "stash",
              `shard ${shard.index}, stash`,
              since(shard.stashSentUs),
              since(shard.stashDurableUs),
            ),
          ],
        }),
      ),
    ],
    moments: quorumMoments(trace, since, answeredUs).map(({ us, ...moment }) => ({
      ...moment,
      at: place(us),
      time: say(us),
    })),
    summary: summariseUpload(trace, since, answeredUs, say),
  };
}

interface BarSettings {
  readonly place: (us: number) => number;
  readonly say: (us: number) => string;
  readonly answeredUs: number;
}

/** Makes bars; null for a step that did not begin: an upload on the direct path sends nothing to the stash. */
function barMaker({ place, say, answeredUs }: BarSettings) {
  return (
    id: string,
    tone: ChartTone,
    what: string,
    startUs: number | null,
    endUs: number | null,
  ): WaterfallBar | null => {
    if (startUs === null) return null;
    const isOpen = endUs === null;
    const isLate = isOpen || endUs > answeredUs;
    const end = isOpen ? "no answer recorded" : `${say(endUs - startUs)}, until ${say(endUs)}`;
    const label = `${what}: from ${say(startUs)}, ${end}${isLate && !isOpen ? ", after the answer" : ""}`;
    return { id, tone, from: place(startUs), to: isOpen ? 1 : place(endUs), isOpen, isLate, label };
  };
}

function quorumMoments(trace: UploadTraceData, since: FromStart, answeredUs: number) {
  const quorum = (id: string, label: string, tone: ChartTone, us: number | null) => {
    const at = since(us);
    return at === null ? [] : [{ id, label, tone, us: at }];
  };
  return [
    ...quorum("pods", "enough pods had written", "pod", trace.podQuorumUs),
    ...quorum("stash", "enough shards were durable on the stash", "stash", trace.stashQuorumUs),
    {
      id: "answer",
      label: trace.result === "stored" ? "answered" : `ended: ${trace.result}`,
      tone: trace.result === "stored" ? ("accent-ink" as const) : ("bad" as const),
      us: answeredUs,
    },
  ];
}

/** Names the start of the trace, because latency figures count from the first byte of the body, which is earlier. */
function firstStep(trace: UploadTraceData): string {
  const firstUs = firstMomentUs(trace);
  if (firstUs === 0) return "its shards began to be sent";
  return trace.verify.startUs === firstUs ? "its verification began" : "its encoding began";
}

/** Index of the shard that completed a quorum, which has the quorum's own time. */
const decisive = (shards: readonly Shard[], moment: "podWrittenUs" | "stashDurableUs", us: number) =>
  shards.find((shard) => shard[moment] === us)?.index;

function summariseUpload(
  trace: UploadTraceData,
  since: FromStart,
  answeredUs: number,
  say: (us: number) => string,
): string {
  const { result, path, podQuorumUs, stashQuorumUs, shards } = trace;
  if (result !== "stored") {
    return `Ended ${say(answeredUs)} after ${firstStep(trace)} without being stored (${result}).`;
  }
  const head = `Answered ${say(answeredUs)} after ${firstStep(trace)}, on the ${path} path`;
  if (path === "direct") {
    const written = since(podQuorumUs);
    if (written === null) return `${head}.`;
    return `${head}: enough pods had answered after ${say(written)}; the rest was waiting for HDDs to sync.`;
  }
  if (podQuorumUs === null || stashQuorumUs === null) return `${head}.`;
  const isStash = stashQuorumUs >= podQuorumUs;
  const lastUs = isStash ? stashQuorumUs : podQuorumUs;
  const shard = decisive(shards, isStash ? "stashDurableUs" : "podWrittenUs", lastUs);
  const place = isStash ? "the stash" : "a pod";
  const last = shard === undefined ? place : `shard ${shard} on ${place}`;
  const aheadUs = Math.abs(stashQuorumUs - podQuorumUs);
  return `${head}. The upload waited longest for ${last}; the ${isStash ? "pods" : "stash"} had been ready ${say(aheadUs)} earlier.`;
}
