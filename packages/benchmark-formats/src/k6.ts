import {
  type BenchmarkOperation,
  type BenchmarkSample,
  benchmarkDurationMsMax,
} from "@stashlight/contracts/sample";
import type { ImportLimits } from "./imported-run.ts";
import { parseInstant } from "./instant.ts";
import { onLine, parseLine } from "./json-line.ts";
import { at, type JsonNode, optionalAt, requireEntries, requireNumber, requireString } from "./json-node.ts";
import { createLineCutter } from "./lines.ts";
import { RefusedFile, shown } from "./refusal.ts";
import { createOmissions, createRowBudget } from "./row-budget.ts";
import type { TakeSample, TextReader } from "./text-reader.ts";

const methods: ReadonlyMap<string, BenchmarkOperation> = new Map([
  ["PUT", "PUT"],
  ["GET", "GET"],
  ["DELETE", "DELETE"],
  ["HEAD", "HEAD"],
]);
/** k6's error codes for a request and for a dial that timed out. */
const TIMEOUTS = new Set(["1050", "1211"]);

export function isK6(text: string): boolean {
  return /^\{[^\n]*"type"\s*:\s*"(Metric|Point)"/.test(text);
}

/** Request assembled from its metrics, which come in one per line. */
interface Request {
  readonly line: number;
  readonly key: string;
  readonly endedAtMs: number;
  readonly durationMs: number;
  readonly tags: Readonly<Record<string, string>>;
  readonly parts: Map<string, number>;
  /** True if another value followed, so that no part is missing because of the end of the file. */
  isOver: boolean;
}

const PARTS: ReadonlySet<string> = new Set([
  "http_req_connecting",
  "http_req_tls_handshaking",
  "http_req_sending",
  "http_req_waiting",
  "http_req_receiving",
]);

/**
 * Reads `k6 run --out json`: one line per measured value. The values of one request are consecutive and share tags and
 * time, which is the end of the request. `http_req_duration` leaves out connecting, so the time of a fresh connection
 * is added. k6 does not record the size of a body; a tag `sizeBytes` provides it.
 */
export function k6Reader(limits: ImportLimits, takeSample: TakeSample): TextReader {
  const take = createRowBudget(limits.rowsMax);
  const omissions = createOmissions();
  let request: Request | null = null;
  let sampleCount = 0;
  let hasSizes = true;
  let droppedCount = 0;
  const finish = (): void => {
    if (request === null) return;
    const operation = methods.get(request.tags.method ?? "");
    if (operation === undefined) omissions.add(`requests with method ${shown(request.tags.method ?? "")}`);
    else {
      take({ line: request.line });
      const sample = toSample(request, operation, sampleCount);
      sampleCount += 1;
      hasSizes &&= sample.sizeBytes > 0;
      takeSample(sample);
    }
    request = null;
  };
  const cutter = createLineCutter((source, line) => {
    const point = source.trim() === "" ? null : parsePoint(source, line);
    if (point?.metric === "dropped_iterations")
      droppedCount += onLine(line, () => requireNumber(at(point.data, "value")));
    if (point?.metric === "http_req_duration") {
      finish();
      request = startRequest(point);
    } else if (
      point !== null &&
      request !== null &&
      PARTS.has(point.metric) &&
      pointKey(point) === request.key
    ) {
      request.parts.set(point.metric, parseDuration(point));
    } else if (point !== null && request !== null && point.metric !== "http_req_blocked") {
      request.isOver = true;
    }
  });
  return {
    push: cutter.push,
    end() {
      cutter.end();
      if (request !== null && !request.isOver && request.parts.size < PARTS.size) {
        omissions.add("the last request, whose values the end of the file cuts off");
        request = null;
      }
      finish();
      const notes = hasSizes ? [] : ["k6 does not record body sizes; tag requests with sizeBytes."];
      return {
        tool: "k6",
        notes: [...omissions.notes(), ...notes, FROM_THE_WRITE, ...describeDropped(droppedCount)],
      };
    },
  };
}

const FROM_THE_WRITE =
  "k6 counts latency from when a request was sent: with an arrival rate, waits behind a stall are not included.";

const describeDropped = (count: number): string[] =>
  count === 0
    ? []
    : [
        `k6 dropped ${count} ${count === 1 ? "iteration" : "iterations"} for which no virtual user was free; they have no sample.`,
      ];

interface Point {
  readonly line: number;
  readonly metric: string;
  readonly data: JsonNode;
}

/** Returns null for a line that only declares a metric. */
function parsePoint(source: string, line: number): Point | null {
  const root = parseLine(source, line);
  return onLine(line, () => {
    const type = requireString(at(root, "type"));
    if (type === "Metric") return null;
    if (type !== "Point")
      throw new RefusedFile("bad-value", `It is ${shown(type)}; it must be "Metric" or "Point".`, {
        field: "type",
      });
    return { line, metric: requireString(at(root, "metric")), data: at(root, "data") };
  });
}

function parseDuration({ line, data }: Point): number {
  return onLine(line, () => {
    const node = at(data, "value");
    const value = requireNumber(node);
    if (value > benchmarkDurationMsMax) {
      throw new RefusedFile("bad-value", "It must be at most an hour of milliseconds.", { field: node.path });
    }
    return value;
  });
}

function pointKey({ line, data }: Point): string {
  return onLine(line, () => JSON.stringify([at(data, "time").value, at(data, "tags").value]));
}

function startRequest(point: Point): Request {
  return onLine(point.line, () => {
    const time = at(point.data, "time");
    const endedAtMs = parseInstant(requireString(time));
    if (endedAtMs === null) {
      throw new RefusedFile("bad-value", "It is not a time.", { field: time.path });
    }
    const tags = optionalAt(point.data, "tags");
    const texts = tags === null ? [] : requireEntries(tags).map(([key, tag]) => [key, requireString(tag)]);
    return {
      line: point.line,
      key: pointKey(point),
      endedAtMs,
      durationMs: parseDuration(point),
      tags: Object.fromEntries(texts),
      parts: new Map<string, number>(),
      isOver: false,
    };
  });
}

function toSample(request: Request, operation: BenchmarkOperation, index: number): BenchmarkSample {
  const { tags, parts, durationMs } = request;
  const connectMs = parts.get("http_req_connecting") ?? 0;
  const tlsMs = parts.get("http_req_tls_handshaking") ?? 0;
  const openingMs = connectMs + tlsMs;
  const wireMs = durationMs + openingMs;
  const phases = toPhases(parts, openingMs);
  if (wireMs > benchmarkDurationMsMax || (phases.headersMs ?? 0) > wireMs + 1) {
    throw new RefusedFile("bad-value", "The parts of the request take longer than the whole.", {
      line: request.line,
    });
  }
  const sizeBytes = /^\d{1,15}$/.test(tags.sizeBytes ?? "") ? Number(tags.sizeBytes) : 0;
  const status = Number(tags.status ?? 0);
  const outcome = requestOutcome(tags);
  const endpoint = urlOrigin(tags.url);
  return {
    index,
    operation,
    outcome,
    sizeBytes,
    transferredBytes: outcome === "ok" ? sizeBytes : 0,
    startedAtMs: Math.max(0, request.endedAtMs - wireMs),
    wireMs,
    perceivedMs: wireMs,
    attempts: 1,
    phases,
    isCold: openingMs > 0,
    ...(endpoint !== null && { endpoint }),
    ...(Number.isInteger(status) && status >= 100 && status <= 999 && { httpStatus: status }),
    ...(outcome !== "ok" && {
      errorCode: (tags.error || tags.error_code || `HTTP ${tags.status}`).slice(0, 1000),
    }),
    isTagged: false,
  };
}

function requestOutcome(tags: Readonly<Record<string, string>>): BenchmarkSample["outcome"] {
  if (TIMEOUTS.has(tags.error_code ?? "")) return "timed-out";
  const isExpected =
    tags.expected_response !== "false" && (tags.error_code ?? "") === "" && tags.status !== "0";
  return isExpected ? "ok" : "failed";
}

function toPhases(parts: ReadonlyMap<string, number>, openingMs: number): BenchmarkSample["phases"] {
  const sending = parts.get("http_req_sending");
  const waiting = parts.get("http_req_waiting");
  const receiving = parts.get("http_req_receiving");
  return {
    ...(openingMs > 0 && {
      connectMs: parts.get("http_req_connecting") ?? 0,
      tlsMs: parts.get("http_req_tls_handshaking") ?? 0,
    }),
    ...(sending !== undefined && { writtenMs: openingMs + sending }),
    ...(sending !== undefined && waiting !== undefined && { headersMs: openingMs + sending + waiting }),
    ...(receiving !== undefined && { bodyMs: receiving }),
  };
}

function urlOrigin(url: string | undefined): string | null {
  return /^https?:\/\/[^/?#]{1,250}/.exec(url ?? "")?.[0] ?? null;
}
