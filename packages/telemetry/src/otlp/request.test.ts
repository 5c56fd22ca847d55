import { StashlightError } from "@stashlight/contracts/errors";
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
  expect(readOtlpMetrics(gauge, "protobuf")).toEqual([
    {
      name: "stashlight_agent_spool_bytes",
      gauge: { dataPoints: [{ timeUnixNano: 1_000_000, asDouble: 4096 }] },
    },
  ]);
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
          decodeOtlpMetrics(bytes, encoding, { nodeId: "n", bootId: 1 });
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
  ["a text for a list", '{"resourceMetrics":"x"}', "resourceMetrics is no list"],
  ["a number for an object", '{"resourceMetrics":[7]}', "an object was expected"],
])("in JSON, %s is refused", (_, text, words) => {
  expect(() => readOtlpMetrics(Buffer.from(text), "json")).toThrow(words);
});
