import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRecorder } from "../recorder/recorder.ts";
import { parseExposition } from "../testing/parse-exposition.ts";
import { valueArbitrary } from "../testing/value-arbitraries.ts";
import { escapeHelp } from "./escape-text.ts";
import { exposition, prometheusText } from "./exposition.ts";

const formats = ["prometheus", "openmetrics"] as const;

function recorderWithEachKind() {
  const recorder = createRecorder({ nowMs: () => 0 });
  const fsync = recorder.histogram("stashlight_fsync_seconds", { tier: "stash", device: "ssd-1" });
  for (const value of [0, 0.001, 0.004, 0.0041, 100]) fsync.record(value);
  const modelled = { tier: "pod", device: "hdd-1", modelled: "exos-x16" } as const;
  recorder.histogram("stashlight_fsync_seconds", modelled).record(0.02);
  recorder.histogram("stashlight_commit_batch_records", { stash: "stash-1", device: "ssd-1" }).record(16);
  recorder.counter("stashlight_uploads_total", { path: "stash", result: "stored" }).add(3);
  recorder.counter("stashlight_uploads_total", { path: "direct", result: "stored" }).add(1);
  recorder.gauge("stashlight_durable_margin_shards", {}).set(3);
  recorder.gauge("stashlight_client_connections", {});
  return recorder;
}

describe.each(formats)("text in the format %s", (format) => {
  const families = parseExposition(prometheusText(recorderWithEachKind(), format), format);
  const familySamples = (family: string) => families.find(({ name }) => name === family)?.samples ?? [];

  test("has each metric with its type and help, and omits unknown values", () => {
    const counter = format === "openmetrics" ? "stashlight_uploads" : "stashlight_uploads_total";
    expect(families.map(({ name, type }) => `${type} ${name}`)).toEqual([
      "histogram stashlight_fsync_seconds",
      "histogram stashlight_commit_batch_records",
      "gauge stashlight_durable_margin_shards",
      `counter ${counter}`,
    ]);
    for (const { help } of families) expect(help).toMatch(/\.$/);
    expect(families[0]?.unit).toBe(format === "openmetrics" ? "seconds" : undefined);
  });

  test("has exact counts of samples up to powers of two, with sum and count", () => {
    const ofSsd = familySamples("stashlight_fsync_seconds").filter(({ labels }) => labels.device === "ssd-1");
    const upTo = (le: number) => ofSsd.find(({ labels }) => Number(labels.le) === le)?.value;
    expect([upTo(2 ** -17), upTo(2 ** -9), upTo(2 ** -8), upTo(2 ** -7), upTo(32)]).toEqual([1, 2, 2, 4, 4]);
    const others = ofSsd.filter(({ labels }) => !("le" in labels) || labels.le === "+Inf");
    expect(others.map(({ value }) => value)).toEqual([5, 0.001 + 0.004 + 0.0041 + 100, 5]);
  });

  test("marks each sample of a modelled drive with its model, and no other samples", () => {
    for (const { labels } of families.flatMap(({ samples }) => samples)) {
      expect(labels.modelled).toBe(labels.device === "hdd-1" ? "exos-x16" : undefined);
    }
  });

  test("writes whole-number bounds with a point, so that no scraper sees two buckets for one", () => {
    const bounds = familySamples("stashlight_commit_batch_records").flatMap(({ labels }) => labels.le ?? []);
    expect(bounds.slice(0, 3)).toEqual(["1.0", "2.0", "4.0"]);
    expect(bounds.at(-1)).toBe("+Inf");
  });

  test("stays readable with any label value and any values", () => {
    const label = fc.string({ unit: "binary", maxLength: 20 });
    fc.assert(
      fc.property(label, fc.array(valueArbitrary, { maxLength: 20 }), (device, values) => {
        const recorder = createRecorder({ nowMs: () => 0 });
        const series = recorder.histogram("stashlight_fsync_seconds", { tier: "pod", device });
        for (const value of values) series.record(value);
        recorder.counter("stashlight_fallbacks_total", { reason: device }).add(values[0] ?? 0);
        const [histogram, counter] = parseExposition(prometheusText(recorder, format), format);
        expect(histogram?.samples.at(-1)?.value).toBe(values.length);
        expect(histogram?.samples.at(-1)?.labels.device).toBe(device.toWellFormed());
        expect(counter?.samples).toMatchObject([
          { labels: { reason: device.toWellFormed() }, value: values[0] ?? 0 },
        ]);
      }),
    );
  });

  test("of a recorder without series is valid", () => {
    const text = prometheusText(createRecorder({ nowMs: () => 0 }), format);
    expect(text).toBe(format === "openmetrics" ? "# EOF\n" : "");
  });
});

test("line breaks, backslashes and quotation marks in help are escaped as each format requires", () => {
  const help = 'a\\b\n"c"';
  expect(escapeHelp(help, "prometheus")).toBe('a\\\\b\\n"c"');
  expect(escapeHelp(help, "openmetrics")).toBe('a\\\\b\\n\\"c\\"');
});

const PROTOBUF = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited";
const PROMETHEUS_3 =
  "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4," +
  "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,text/plain;version=0.0.4;q=0.2,*/*;q=0.1";

test.each([
  [undefined, "text/plain"],
  ["", "text/plain"],
  ["*/*", "text/plain"],
  ["text/html,application/xhtml+xml,*/*;q=0.8", "text/plain"],
  [PROMETHEUS_3, "application/openmetrics-text"],
  [`${PROTOBUF};q=0.6,${PROMETHEUS_3}`, "application/vnd.google.protobuf"],
  [`${PROTOBUF};q=0.1,${PROMETHEUS_3}`, "application/openmetrics-text"],
  [PROTOBUF.replace("delimited", "text"), "text/plain"],
  [PROTOBUF.replace("MetricFamily", "Another"), "text/plain"],
  ["application/openmetrics-text", "application/openmetrics-text"],
  ['Application/OpenMetrics-Text; Version="1.0.0"', "application/openmetrics-text"],
  ["application/openmetrics-text; version=1.0.0; q=0", "text/plain"],
  ["application/openmetrics-text;version=2.0.0", "text/plain"],
  ["application/openmetrics-text;q=0.2,text/plain;version=0.0.4;q=0.9", "text/plain"],
  ["application/openmetrics-text;q=lots", "text/plain"],
])("a scraper that accepts %s gets the format %s", (accept, expected) => {
  const { contentType, body } = exposition(recorderWithEachKind(), accept);
  expect(contentType.split(";")[0]).toBe(expected);
  expect(typeof body).toBe(expected === "application/vnd.google.protobuf" ? "object" : "string");
  if (typeof body !== "string") return;
  expect(body.endsWith("# EOF\n")).toBe(expected === "application/openmetrics-text");
});
