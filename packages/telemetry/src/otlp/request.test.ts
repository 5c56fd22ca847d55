import { StashlightError } from "@stashlight/contracts/errors";
import { OTLP_MOMENT_COUNT_MAX, OTLP_POINT_COUNT_MAX } from "@stashlight/contracts/metrics";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeOtlpMetrics } from "./decode.ts";
import { readOtlpMetrics } from "./request.ts";

/** One gauge with one point, 4096 at one millisecond. */
const gauge = Buffer.concat([
  Buffer.from("0a38123612340a1c", "hex"),
  Buffer.from("stashlight_agent_spool_bytes"),
  Buffer.from("2a140a121940420f000000000021000000000000b040", "hex"),
]);

test("a request is read as protobuf has it", () => {
  const metrics = readOtlpMetrics(gauge, "protobuf");
  expect(metrics.map(({ name }) => name)).toEqual(["stashlight_agent_spool_bytes"]);
  const points = metrics[0]?.gauge?.dataPoints;
  expect(points).toHaveLength(1);
  expect([...(points ?? [])]).toEqual([{ timeUnixNano: 1_000_000, asDouble: 4096 }]);
});

/** A request in JSON with a gauge of these points, each with a time of its own. */
const requestOf = (endsMs: readonly number[]): Buffer => {
  const dataPoints = endsMs.map((endMs) => ({ timeUnixNano: `${endMs}000000`, asDouble: 1 }));
  const metrics = [{ name: "stashlight_client_connections", gauge: { dataPoints } }];
  return Buffer.from(JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }));
};
const node = { nodeId: "n", bootId: 1 };
const metric = "stashlight_client_connections";

test("points outside the stored time range are refused one by one, and create no window", () => {
  const [early, right, late] = [1_000, 2_000, 3_000];
  const refusalOf = (endMs: number) =>
    endMs === early ? "too_old" : endMs === late ? "from_the_future" : null;
  const { batches, refusals } = decodeOtlpMetrics(requestOf([early, right, late]), "json", node, refusalOf);
  expect(batches.map(({ window }) => window.endMs)).toEqual([right]);
  expect(refusals).toEqual([
    { metric, reason: "too_old" },
    { metric, reason: "from_the_future" },
  ]);
});

test("a request has a bounded number of timestamps, and further ones are refused", () => {
  const moments = Array.from({ length: OTLP_MOMENT_COUNT_MAX + 2 }, (_, i) => 1_000 + i);
  const { batches, refusals } = decodeOtlpMetrics(requestOf(moments), "json", node, () => null);
  expect(batches).toHaveLength(OTLP_MOMENT_COUNT_MAX);
  expect(refusals).toEqual([1, 2].map(() => ({ metric, reason: "too_many_moments" })));
});

test("points beyond the bound of a request are refused without being read", () => {
  const moments = Array.from({ length: OTLP_POINT_COUNT_MAX + 5 }, () => 1_000);
  const body = requestOf(moments).toString();
  const at = body.lastIndexOf('"asDouble":1');
  const damaged = `${body.slice(0, at)}"asDouble":"what"${body.slice(at + '"asDouble":1'.length)}`;
  const { refusals } = decodeOtlpMetrics(Buffer.from(damaged), "json", node, () => null);
  expect(refusals[0]).toEqual({ metric, reason: "too_many_points", count: 5 });
  expect(refusals.slice(1).every(({ reason }) => reason === "comes_twice")).toBe(true);
});

test("bytes that are no request are refused as invalid, or are a request", () => {
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

test("a request of millions of empty parts is given up", () => {
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
])("in JSON, %s is refused", (_, text, words) => {
  expect(() => readOtlpMetrics(Buffer.from(text), "json")).toThrow(words);
});
