import { costOfStage } from "@stashlight/benchmark";
import type { PriceList } from "@stashlight/contracts/endpoint";
import { type BenchmarkStage, fitsWindow, sizeText, stageThroughput } from "@stashlight/contracts/sample";
import { HOUR_SECONDS } from "@stashlight/contracts/time";
import { formatMs } from "../units.ts";

const short = (value: number): string => String(Number(value.toPrecision(3)));
const hours = (seconds: number): string => `${short(seconds / HOUR_SECONDS)} h`;

/** Formats a stage as a line: time, requests, cost, and whether it would fit into a night. */
export function stageText(stage: BenchmarkStage, prices: PriceList | null): string {
  const { title, durationMs, requests, failure } = stage;
  const { protectedBytes, seconds, windowSeconds } = stage.extrapolation;
  const requestCount = requests.put + requests.get + requests.delete;
  const parts = [
    formatMs(durationMs),
    `${short(stageThroughput(stage) ?? 0)} MB/s`,
    `${requestCount} ${requestCount === 1 ? "request" : "requests"}`,
    ...(prices === null ? [] : [`$${short(costOfStage(stage, prices))}`]),
  ];
  const fits = fitsWindow(stage) ? "fits" : "does not fit";
  const night = `${sizeText(protectedBytes)} in ${hours(seconds)}, extrapolated, which ${fits} into ${hours(windowSeconds)}`;
  return [`${title}: ${parts.join(", ")}`, night, ...(failure === null ? [] : [failure])].join("; ");
}
