import { type MetricName, metricCatalogue } from "@stashlight/contracts/metrics";
import type { MetricAnswer, MetricSeries } from "@stashlight/contracts/metrics/query";
import { MINUTE_MS } from "@stashlight/contracts/time";
import fc from "fast-check";
import { expect, test } from "vitest";
import { gaugeAnswer, nowMs } from "../../../client/metrics/testing.ts";
import { requestFigures } from "./request-figures.ts";
import { failedRequests, failureReason, failureReasons } from "./request-outcome.ts";

const stepMs = MINUTE_MS;

/** A counter by minute, summarised as tiles query it. */
const counted = (labels: Record<string, string>, values: readonly (number | null)[]): MetricSeries => ({
  labels,
  endMs: [values.length * stepMs],
  columns: { kind: "counter", increase: [values.reduce<number>((sum, each) => sum + (each ?? 0), 0)] },
  trend: { column: "increase", stepMs, firstEndMs: stepMs, values },
});

const makeAnswer = (metric: MetricName, series: readonly MetricSeries[]): MetricAnswer => ({
  ...gaugeAnswer(metric, []),
  kind: metricCatalogue[metric].kind,
  series,
});

/** Figures at the end of the newest point. */
const figuresOf = (answers: readonly MetricAnswer[]) =>
  requestFigures(
    answers,
    Math.max(0, ...answers.flatMap(({ series }) => series.flatMap(({ endMs }) => endMs))),
  );

const requests = (...series: MetricSeries[]) => [makeAnswer("stashlight_requests_total", series)];
const put = (status: string, values: readonly (number | null)[]) =>
  counted({ operation: "PutObject", status }, values);

test("uploads per second are the mean of the newest minute, by path", () => {
  const { uploadRate } = figuresOf([
    makeAnswer("stashlight_uploads_total", [
      counted({ path: "stash" }, [60, 120, 180]),
      counted({ path: "direct" }, [0, 0, 60]),
    ]),
  ]);
  expect(uploadRate).toMatchObject({
    value: 4,
    quantity: "per-second",
    n: 240,
    untilMs: 3 * stepMs,
    statistic: "mean of 1 min",
    detail: "3 /s stash, 1 /s direct",
  });
  expect(uploadRate.trend?.values).toEqual([1, 2, 4]);
});

test("bytes per second have their unit and no sample count", () => {
  const { byteRate } = figuresOf([
    makeAnswer("stashlight_upload_bytes_total", [counted({ path: "stash" }, [null, 120e6])]),
  ]);
  expect(byteRate).toMatchObject({ value: 2e6, quantity: "bytes-per-second" });
  expect(byteRate).not.toHaveProperty("n");
  expect(byteRate.trend?.values).toEqual([null, 2e6]);
});

test("the failure figure counts failed requests by reason, and all requests", () => {
  const { failures } = figuresOf(
    requests(put("200", [500, 500]), put("507", [0, 24]), put("503", [2, 0]), put("400", [0, 1])),
  );
  expect(failures).toMatchObject({
    value: 27,
    n: 1_027,
    status: "warning",
    detail: "24 out of space (507), 2 busy or unavailable (503), 1 refused as invalid (4xx)",
    problem:
      "Requests fail or are refused; in this time range 24 out of space (507), 2 busy or unavailable (503).",
  });
  expect(failures.trend?.values).toEqual([2, 25]);
});

test("the newest minutes count before the next long point of the range ends", () => {
  const second = 1_000;
  const recentOf = (labels: Record<string, string>, values: readonly number[]): MetricSeries => ({
    ...counted(labels, values),
    endMs: [2 * stepMs + 10 * second],
    trend: { column: "increase", stepMs: 5 * second, firstEndMs: 2 * stepMs + 5 * second, values },
  });
  const recent = (metric: MetricName, series: readonly MetricSeries[]): MetricAnswer => ({
    ...makeAnswer(metric, series),
    stepMs: 5 * second,
  });
  const whole = (metric: MetricName, series: readonly MetricSeries[]) => ({
    ...makeAnswer(metric, series),
    stepMs,
  });
  const { failures, uploadRate } = figuresOf([
    whole("stashlight_requests_total", [put("200", [500, 500])]),
    whole("stashlight_uploads_total", [counted({ path: "stash" }, [60, 60])]),
    recent("stashlight_requests_total", [
      recentOf({ operation: "PutObject", status: "200" }, [1, 0]),
      recentOf({ operation: "PutObject", status: "507" }, [3, 20]),
    ]),
    recent("stashlight_uploads_total", [recentOf({ path: "stash" }, [50, 0])]),
  ]);
  expect(failures).toMatchObject({
    value: 23,
    n: 1_024,
    status: "warning",
    problem: "Requests fail or are refused; in this time range 23 out of space (507).",
    untilMs: 2 * stepMs + 10 * second,
  });
  expect(failures.trend?.values).toEqual([0, 0]);
  expect(uploadRate).toMatchObject({ value: 5, n: 50, untilMs: 2 * stepMs + 10 * second });
  expect(uploadRate.trend?.values).toEqual([1, 1]);
});

test("a range whose points are as long as those of the newest minutes still counts all its failures", () => {
  const old = [24, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  const newest: MetricSeries = {
    ...put("507", []),
    endMs: [10 * stepMs],
    trend: { column: "increase", stepMs, firstEndMs: 6 * stepMs, values: [0, 0, 0, 0, 0] },
  };
  const { failures } = figuresOf([...requests(put("507", old)), ...requests(newest)]);
  expect(failures).toMatchObject({ value: 24, statistic: "requests in 10 min" });
  expect(failures.trend?.values).toEqual(old);
});

test("failures after the last whole point of the newest minutes are ongoing", () => {
  const untilMs = 10 * stepMs + 5_000;
  const served = { ...put("200", Array(10).fill(9)), endMs: [untilMs] };
  const early: MetricSeries = { ...put("503", [1, ...Array(9).fill(0)]), endMs: [untilMs] };
  const late: MetricSeries = {
    ...put("507", Array(10).fill(0)),
    endMs: [untilMs],
    columns: { kind: "counter", increase: [27] },
  };
  const unfinished = late.trend && { ...late, trend: { ...late.trend, unfinished: 27 } };
  const { trend: _trend, ...first } = late;
  for (const series of [unfinished, first]) {
    const { failures } = figuresOf(requests(served, early, series ?? late));
    expect(failures).toMatchObject({
      status: "warning",
      detail: "27 out of space (507), 1 busy or unavailable (503)",
      untilMs,
    });
  }
});

test("requests without failures are a known zero", () => {
  const { failures } = figuresOf(requests(put("200", [5, 5])));
  expect(failures).toMatchObject({ value: 0, status: "good", n: 10 });
  expect(failures.trend?.values).toEqual([0, 0]);
  expect(failures).not.toHaveProperty("problem");
});

test("client errors are counted without asking the operator to act", () => {
  const { failures } = figuresOf(requests(put("200", [5]), put("403", [3])));
  expect(failures).toMatchObject({ value: 3, status: "good" });
  expect(failures).not.toHaveProperty("problem");
});

test("failures that ended are counted without being a problem", () => {
  const over = [24, 0, 0, 0, 0, 0, 0];
  const { failures } = figuresOf(requests(put("200", over), put("507", over)));
  expect(failures).toMatchObject({
    value: 24,
    status: "info",
    statistic: "requests in 7 min",
    detail: "24 out of space (507); none in the last 5 min",
  });
  expect(failures).not.toHaveProperty("problem");
});

test.each([
  ["fail now", [0, 0, 24], "Requests fail or are refused; in this time range 24 out of space (507).", ""],
  [
    "failed recently",
    [24, 0, 0],
    "Requests failed or were refused; in this time range 24 out of space (507), the last 3 min ago.",
    "; the last 3 min ago",
  ],
])("the problem of requests that %s uses the matching tense", (_, full, problem, rest) => {
  const { failures } = figuresOf(requests(put("200", [9, 9, 9]), put("507", full)));
  expect(failures).toMatchObject({ status: "warning", problem, detail: `24 out of space (507)${rest}` });
});

test("the age of the vault's last failure is not shown for newer client errors", () => {
  const { failures } = figuresOf(
    requests(put("200", [9, 9, 9]), put("507", [24, 0, 0]), put("404", [0, 0, 7])),
  );
  expect(failures.detail).toBe(
    "24 out of space (507); the last 3 min ago; apart from these 7 refused as invalid (4xx)",
  );
  expect(failures.problem).toBe(
    "Requests failed or were refused; in this time range 24 out of space (507), the last 3 min ago.",
  );
});

test("the age of the last failure counts up to now, not to the newest window", () => {
  const answers = requests(put("200", [9, 9]), put("507", [24, 0]));
  const { failures } = requestFigures(answers, 2 * stepMs + 70_000);
  expect(failures.detail).toBe("24 out of space (507); the last 3 min ago");
  expect(failures.problem).toContain("the last 3 min ago");
});

test("failures need attention on the tile exactly while they are a problem on the page", () => {
  const counts = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 12, maxLength: 12 });
  fc.assert(
    fc.property(counts, counts, (full, wrong) => {
      const { failures } = figuresOf(
        requests(
          put(
            "200",
            full.map(() => 9),
          ),
          put("507", full),
          put("403", wrong),
        ),
      );
      expect(failures.status === "warning").toBe(failures.problem !== undefined);
    }),
  );
});

test("a failure ends with time even if its series is no longer reported", () => {
  const ok = put("200", [5, 5, 5, 5, 5, 5, 5]);
  const { failures } = figuresOf(requests(ok, put("503", [2])));
  expect(failures).toMatchObject({ value: 2, status: "info" });
});

test("without requests, failures are unknown", () => {
  expect(figuresOf([]).failures).toMatchObject({
    value: null,
    missing: "no request in this time range",
  });
  expect(figuresOf([]).failures).not.toHaveProperty("status");
});

test("the object count is that of the pod with the most objects, with their body bytes", () => {
  const { objects } = figuresOf([
    gaugeAnswer("stashlight_pod_visible_objects", [[{}, 1_060]]),
    gaugeAnswer("stashlight_pod_visible_object_bytes", [[{}, 845e6]]),
  ]);
  expect(objects).toMatchObject({ value: 1_060, statistic: "845 MB in total", untilMs: nowMs });
});

test.each([
  [0.3, "good", undefined],
  [
    0.85,
    "warning",
    "The pods of vault local use 85 % of the memory for their index; at 100 % new objects are refused. Give the agents a larger heap, delete objects or add a vault.",
  ],
  [
    1.02,
    "bad",
    "Vault local refuses new objects: its pods have no memory left for index entries. Give the agents a larger heap, delete objects or add a vault.",
  ],
])(
  "with the index used to a share of %f, the objects of a vault have the status %s",
  (share, status, problem) => {
    const { objects } = figuresOf([
      gaugeAnswer("stashlight_pod_visible_objects", [[{ vault: "local" }, 1_060]]),
      gaugeAnswer("stashlight_pod_index_ratio", [[{ vault: "local" }, share]]),
      gaugeAnswer("stashlight_pod_records_max", [[{ vault: "local" }, 3_912_345]]),
    ]);
    expect(objects).toMatchObject({ status, detail: "up to about 3.9 million per pod" });
    expect(objects.problem).toBe(problem);
  },
);

test("refused uploads are blamed on the index if it is full, otherwise on the vault", () => {
  const of = (share: number) =>
    figuresOf([
      ...requests(put("507", [24])),
      gaugeAnswer("stashlight_pod_index_ratio", [[{}, share]]),
      gaugeAnswer("stashlight_pod_records_max", [[{}, 1e6]]),
    ]).failures.followsFrom;
  expect([of(0.5), of(1.1)]).toEqual(["vault-full", "objects"]);
});

test("objects are never combined with the bytes of another window", () => {
  const { objects } = figuresOf([
    gaugeAnswer("stashlight_pod_visible_objects", [[{}, 429]]),
    gaugeAnswer("stashlight_pod_visible_object_bytes", [[{}, 17.2e6, nowMs - 10_000]]),
  ]);
  expect(objects).toMatchObject({ value: 429 });
  expect(objects).not.toHaveProperty("statistic");
});

test.each([
  ["PutObject", "507", "full"],
  ["UploadPart", "503", "busy"],
  ["GetObject", "500", "failed"],
  ["PutObject", "403", "client"],
  ["PutObject", "501", "client"],
  ["HeadObject", "404", null],
  ["GetObject", "501", null],
  ["PutObject", "200", null],
  ["unknown", "403", "client"],
])("a %s with status %s has the failure reason %s", (operation, status, reason) => {
  expect(failureReason(operation, status)).toBe(reason);
});

test("the chart queries the same requests that the figure counts", () => {
  const operations = failedRequests.flatMap(({ operation }) => operation);
  const statuses = ["200", "206", "304", ...new Set(failedRequests.flatMap(({ status }) => status))];
  for (const operation of operations) {
    for (const status of statuses) {
      const isAsked = failedRequests.some(
        (where) => where.operation.includes(operation) && where.status.includes(status),
      );
      expect(isAsked, `${operation} ${status}`).toBe(failureReason(operation, status) !== null);
    }
  }
});

test("the counts by reason add up to the total", () => {
  const answered = fc.record({
    operation: fc.constantFrom("PutObject", "UploadPart", "GetObject", "HeadObject", "unknown"),
    status: fc.constantFrom("200", "206", "304", "400", "403", "404", "500", "501", "503", "507"),
    count: fc.nat(1_000),
  });
  const selector = ({ operation, status }: { operation: string; status: string }) => `${operation} ${status}`;
  fc.assert(
    fc.property(fc.uniqueArray(answered, { selector, minLength: 1 }), (all) => {
      const series = all.map(({ count, ...labels }) => counted(labels, [count]));
      const { failures } = figuresOf(requests(...series));
      const reasons = Object.values(failureReasons).map((words) => words.replaceAll(/[()]/g, "\\$&"));
      const told = (failures.detail ?? "").matchAll(new RegExp(`([\\d,]+) (?:${reasons.join("|")})`, "g"));
      const sum = [...told].reduce((total, [, count = ""]) => total + Number(count.replaceAll(",", "")), 0);
      expect(sum).toBe(failures.value);
      expect(failures.trend?.values.at(-1)).toBe(failures.value);
    }),
  );
});
