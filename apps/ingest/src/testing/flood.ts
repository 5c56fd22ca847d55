/** For tests: requests of a program that puts the id of every item into a label. */
import { gzipSync } from "node:zlib";

export interface FloodOptions {
  readonly metric: string;
  readonly label: string;
  readonly pointCount: number;
  /** Requests with the same seed name the same series. */
  readonly seed: number;
  readonly endMs: number;
}

/** An OTLP request in JSON, compressed with gzip: a counter whose points each have a different label value. */
export function makeFlood({ metric, label, pointCount, seed, endMs }: FloodOptions): Buffer {
  const timeUnixNano = `${endMs}000000`;
  const dataPoints = Array.from({ length: pointCount }, (_, i) => ({
    attributes: [{ key: label, value: { stringValue: `request-${seed}-${i}` } }],
    timeUnixNano,
    asInt: "1",
  }));
  const sum = { dataPoints, aggregationTemporality: 1, isMonotonic: true };
  const metrics = [{ name: metric, sum }];
  return gzipSync(JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }));
}
