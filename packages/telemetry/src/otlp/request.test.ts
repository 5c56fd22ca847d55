import { StashlightError } from "@stashlight/contracts/errors";
import { OTLP_MOMENT_COUNT_MAX, OTLP_POINT_COUNT_MAX } from "@stashlight/contracts/metrics";
import fc from "fast-check";
import { expect, test } from "vitest";
import { protobuf } from "../testing/protobuf.ts";
import { decodeOtlpMetrics } from "./decode.ts";
import { type OtlpMetric, readOtlpMetrics } from "./request.ts";

/** One gauge with one point: 4096 at one millisecond. */
const gauge = Buffer.concat([
  Buffer.from("0a38123612340a1c", "hex"),
  Buffer.from("stashlight_agent_spool_bytes"),
  Buffer.from("2a140a121940420f000000000021000000000000b040", "hex"),
]);

test("a request encoded as protobuf is read", () => {
  const metrics = readOtlpMetrics(gauge, "protobuf");
  expect(metrics.map(({ name }) => name)).toEqual(["stashlight_agent_spool_bytes"]);
  const points = metrics[0]?.gauge?.dataPoints;
  expect(points).toHaveLength(1);
  expect([...(points ?? [])]).toEqual([{ timeUnixNano: 1_000_000, asDouble: 4096 }]);
});

const { varint, zigzag, fixed64, double, text, block } = protobuf;
const field = (number: number, wireType: number, value: Uint8Array) =>
  protobuf.field(number, wireType, value);
const message = (number: number, ...fields: Uint8Array[]) => field(number, 2, block(Buffer.concat(fields)));
const attribute = (number: number, key: string, value: Uint8Array) =>
  message(number, field(1, 2, block(text(key))), message(2, value));

const name = field(1, 2, block(text("n")));
const times = [field(2, 1, fixed64(2_000_000)), field(3, 1, fixed64(3_000_000))];
const readTimes = { startTimeUnixNano: 2_000_000, timeUnixNano: 3_000_000 };

/** Metrics with every field that is read, by number in opentelemetry-proto's metrics.proto and common.proto. */
const numbered: readonly [string, metric: Uint8Array[], read: Record<string, unknown>][] = [
  [
    "a gauge in doubles, with attributes of all kinds",
    [
      field(3, 2, block(text("By"))),
      message(
        5,
        message(
          1,
          ...times,
          field(4, 1, double(1.5)),
          attribute(7, "text", field(1, 2, block(text("v")))),
          attribute(7, "flag", field(2, 0, varint(1))),
          attribute(7, "whole", field(3, 0, varint(-7))),
          attribute(7, "part", field(4, 1, double(0.5))),
          field(8, 0, varint(1)),
        ),
      ),
    ],
    {
      unit: "By",
      gauge: {
        dataPoints: [
          {
            ...readTimes,
            asDouble: 1.5,
            attributes: [
              { key: "text", value: { stringValue: "v" } },
              { key: "flag", value: { boolValue: true } },
              { key: "whole", value: { intValue: -7 } },
              { key: "part", value: { doubleValue: 0.5 } },
            ],
            flags: 1,
          },
        ],
      },
    },
  ],
  [
    "a sum in whole numbers",
    [
      message(
        7,
        message(1, ...times, field(6, 1, fixed64(-4))),
        field(2, 0, varint(1)),
        field(3, 0, varint(1)),
      ),
    ],
    { sum: { dataPoints: [{ ...readTimes, asInt: -4 }], aggregationTemporality: 1, isMonotonic: true } },
  ],
  [
    "a histogram with explicit bounds",
    [message(9, message(1, ...times), field(2, 0, varint(2)))],
    { histogram: { dataPoints: [readTimes], aggregationTemporality: 2 } },
  ],
  [
    "an exponential histogram",
    [
      message(
        10,
        message(
          1,
          attribute(1, "tier", field(1, 2, block(text("pod")))),
          ...times,
          field(4, 1, fixed64(9)),
          field(5, 1, double(2.5)),
          field(6, 0, zigzag(-3)),
          field(7, 1, fixed64(2)),
          message(8, field(1, 0, zigzag(-12)), field(2, 2, block(Buffer.from([1, 0, 6])))),
          message(9, field(1, 0, zigzag(12)), field(2, 0, varint(300))),
          field(10, 0, varint(0)),
          field(12, 1, double(0.25)),
          field(13, 1, double(0.75)),
          field(14, 1, double(0.125)),
        ),
        field(2, 0, varint(1)),
      ),
    ],
    {
      exponentialHistogram: {
        dataPoints: [
          {
            attributes: [{ key: "tier", value: { stringValue: "pod" } }],
            ...readTimes,
            count: 9,
            sum: 2.5,
            scale: -3,
            zeroCount: 2,
            positive: { offset: -12, bucketCounts: [1, 0, 6] },
            negative: { offset: 12, bucketCounts: [300] },
            flags: 0,
            min: 0.25,
            max: 0.75,
            zeroThreshold: 0.125,
          },
        ],
        aggregationTemporality: 1,
      },
    },
  ],
  ["a summary", [message(11, message(1, ...times))], { summary: { dataPoints: [readTimes] } }],
];

/** Reads one metric, with its points as an array. */
function readOne(bytes: Uint8Array): Record<string, unknown> {
  const [read] = readOtlpMetrics(bytes, "protobuf") as [OtlpMetric];
  const members = Object.entries(read).map(([key, value]) => [
    key,
    typeof value === "object" ? { ...value, dataPoints: [...value.dataPoints] } : value,
  ]);
  return Object.fromEntries(members);
}

test.each(numbered)("every field of %s has the number in metrics.proto", (_, metric, read) => {
  const bytes = message(1, message(2, message(2, name, ...metric)));
  expect(readOne(bytes)).toEqual({ name: "n", ...read });
});

test("fields of a later version, of any wire type, are skipped in every message", () => {
  const later = fc
    .tuple(
      fc.constantFrom(100, 2 ** 29 - 1),
      fc.oneof(
        fc.maxSafeNat().map((value) => [0, varint(value)] as const),
        fc.double().map((value) => [1, double(value)] as const),
        fc.uint8Array({ maxLength: 200 }).map((bytes) => [2, block(bytes)] as const),
        fc.uint8Array({ minLength: 4, maxLength: 4 }).map((bytes) => [5, bytes] as const),
      ),
    )
    .map(([number, [wireType, value]]) => field(number, wireType, value));
  fc.assert(
    fc.property(fc.tuple(later, later, later, later, later, later), ([a, b, c, d, e, f]) => {
      const gaugeOf = message(5, d, message(1, e, ...times, f, field(4, 1, double(1))));
      const bytes = Buffer.concat([a, message(1, b, message(2, c, message(2, name, d, gaugeOf, e)))]);
      expect(readOne(bytes)).toEqual({
        name: "n",
        gauge: { dataPoints: [{ ...readTimes, asDouble: 1 }] },
      });
    }),
  );
});

/** Builds a JSON request with a gauge that has a point at each of these times. */
const makeRequest = (endsMs: readonly number[]): Buffer => {
  const dataPoints = endsMs.map((endMs) => ({ timeUnixNano: `${endMs}000000`, asDouble: 1 }));
  const metrics = [{ name: "stashlight_client_connections", gauge: { dataPoints } }];
  return Buffer.from(JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }));
};
const node = { nodeId: "n", bootId: 1 };
const metric = "stashlight_client_connections";

test("points outside the stored time range are refused one by one, and create no window", () => {
  const [early, right, late] = [1_000, 2_000, 3_000];
  const windowRefusal = (endMs: number) =>
    endMs === early ? "too_old" : endMs === late ? "from_the_future" : null;
  const { batches, refusals } = decodeOtlpMetrics(
    makeRequest([early, right, late]),
    "json",
    node,
    windowRefusal,
  );
  expect(batches.map(({ window }) => window.endMs)).toEqual([right]);
  expect(refusals).toEqual([
    { metric, reason: "too_old" },
    { metric, reason: "from_the_future" },
  ]);
});

test("a request has a limited number of timestamps, and further ones are refused", () => {
  const moments = Array.from({ length: OTLP_MOMENT_COUNT_MAX + 2 }, (_, i) => 1_000 + i);
  const { batches, refusals } = decodeOtlpMetrics(makeRequest(moments), "json", node, () => null);
  expect(batches).toHaveLength(OTLP_MOMENT_COUNT_MAX);
  expect(refusals).toEqual([1, 2].map(() => ({ metric, reason: "too_many_moments" })));
});

test("points beyond the limit of a request are refused unread", () => {
  const moments = Array.from({ length: OTLP_POINT_COUNT_MAX + 5 }, () => 1_000);
  const body = makeRequest(moments).toString();
  const at = body.lastIndexOf('"asDouble":1');
  const damaged = `${body.slice(0, at)}"asDouble":"what"${body.slice(at + '"asDouble":1'.length)}`;
  const { refusals } = decodeOtlpMetrics(Buffer.from(damaged), "json", node, () => null);
  expect(refusals[0]).toEqual({ metric, reason: "too_many_points", count: 5 });
  expect(refusals.slice(1).every(({ reason }) => reason === "comes_twice")).toBe(true);
});

test("any bytes are a valid request or refused as invalid", () => {
  const changed = fc.tuple(fc.nat(gauge.length - 1), fc.integer({ min: 1, max: 255 })).map(([at, flip]) => {
    const copy = Uint8Array.from(gauge);
    copy[at] = (copy[at] as number) ^ flip;
    return copy;
  });
  fc.assert(
    fc.property(
      fc.oneof(
        changed,
        fc.uint8Array({ maxLength: 60 }),
        fc.json().map((text) => Buffer.from(text)),
      ),
      fc.constantFrom("protobuf" as const, "json" as const),
      (bytes, encoding) => {
        try {
          decodeOtlpMetrics(bytes, encoding, { nodeId: "n", bootId: 1 }, () => null);
        } catch (error) {
          expect(error).toBeInstanceOf(StashlightError);
        }
      },
    ),
    { numRuns: 2000 },
  );
});

test("a request of 600,000 empty parts is refused", () => {
  const parts = Buffer.alloc(1_200_000, Buffer.from("1200", "hex"));
  const head = Buffer.from([
    0x0a,
    0x80 | (parts.length & 127),
    0x80 | ((parts.length >> 7) & 127),
    parts.length >> 14,
  ]);
  expect(() => readOtlpMetrics(Buffer.concat([head, parts]), "protobuf")).toThrow("more than 500000 parts");
});

test.each([
  ["a text for a list", '{"resourceMetrics":"x"}', "resourceMetrics is not a list"],
  ["a number for an object", '{"resourceMetrics":[7]}', "an object was expected"],
])("%s in JSON is refused", (_, text, words) => {
  expect(() => readOtlpMetrics(Buffer.from(text), "json")).toThrow(words);
});
