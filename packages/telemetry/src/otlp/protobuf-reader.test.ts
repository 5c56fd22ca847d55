/** Bytes are written by hand from the specification, because a library might share a mistake with the reader. */
import { StashlightError } from "@stashlight/contracts/errors";
import fc from "fast-check";
import { expect, test } from "vitest";
import { protobuf } from "../testing/protobuf.ts";
import { ProtobufReader, type Scalar } from "./protobuf-reader.ts";

const { varint, zigzag, fixed64, double, text, block, field } = protobuf;

const uint53 = fc.maxSafeNat();
const int53 = fc.maxSafeInteger();

/** Each scalar kind with the wire type in its tag, and values with their encoding. */
const rows: readonly [Scalar, wireType: number, fc.Arbitrary<unknown>, (value: never) => Uint8Array][] = [
  ["double", 1, fc.double(), double],
  ["fixed64", 1, uint53, fixed64],
  ["sfixed64", 1, int53, fixed64],
  ["uint", 0, uint53, varint],
  ["int", 0, int53, varint],
  ["sint", 0, fc.integer(), zigzag],
  ["bool", 0, fc.boolean(), (value: boolean) => varint(Number(value))],
  ["string", 2, fc.string({ unit: "grapheme" }), (value: string) => block(text(value))],
];

test.each(rows)("a %s is read as the specification encodes it", (kind, wireType, values, write) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 29 - 1 }), values, (number, value) => {
      const reader = new ProtobufReader(field(number, wireType, write(value as never)));
      expect(reader.tag()).toEqual({ number, wireType });
      expect(reader.scalar(kind, wireType)).toEqual(value);
      expect(reader.isAtEnd).toBe(true);
    }),
  );
});

test.each(rows)("a %s whose tag has another wire type is refused", (kind, wireType, values, write) => {
  const [value] = fc.sample(values, 1);
  for (const other of [0, 1, 2, 5].filter((each) => each !== wireType)) {
    const reader = new ProtobufReader(write(value as never));
    expect(() => reader.scalar(kind, other)).toThrow(`a field has the wire type ${other}`);
  }
});

test("a list of numbers is read, packed or one by one", () => {
  fc.assert(
    fc.property(fc.array(uint53, { maxLength: 20 }), (values) => {
      const packed = new ProtobufReader(block(Buffer.concat(values.map((value) => varint(value)))));
      expect([...packed.scalars("uint", 2)]).toEqual(values);
      expect(packed.isAtEnd).toBe(true);
      const single = new ProtobufReader(Buffer.concat(values.map((value) => varint(value))));
      expect(values.flatMap(() => [...single.scalars("uint", 0)])).toEqual(values);
    }),
  );
});

test("a field of any wire type is skipped by exactly its bytes", () => {
  const skipped = fc.oneof(
    uint53.map((value) => [0, varint(value)] as const),
    fc.double().map((value) => [1, double(value)] as const),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => [2, block(bytes)] as const),
    fc.uint8Array({ minLength: 4, maxLength: 4 }).map((bytes) => [5, bytes] as const),
  );
  fc.assert(
    fc.property(skipped, uint53, ([wireType, bytes], next) => {
      const reader = new ProtobufReader(Buffer.concat([bytes, varint(next)]));
      reader.skip(wireType);
      expect(reader.scalar("uint", 0)).toBe(next);
    }),
  );
});

test.each([3, 4, 6, 7])("a field of wire type %i, which OTLP does not use, cannot be skipped", (wireType) => {
  expect(() => new ProtobufReader(Buffer.alloc(16)).skip(wireType)).toThrow(StashlightError);
});

test("a value that is cut off at any byte is refused", () => {
  for (const [kind, wireType, values, write] of rows) {
    for (const value of fc.sample(values, 20)) {
      const whole = write(value as never);
      for (let length = 0; length < whole.length; length += 1) {
        const reader = new ProtobufReader(whole.subarray(0, length));
        expect(() => reader.scalar(kind, wireType)).toThrow("it is cut off");
      }
    }
  }
});

test("a number of ten bytes is read, and a longer one is refused", () => {
  const last = new ProtobufReader(Buffer.from("ffffffffffffffffff01", "hex"));
  expect(last.scalar("int", 0)).toBe(-1);
  const longer = new ProtobufReader(Buffer.from("ffffffffffffffffffff01", "hex"));
  expect(() => longer.scalar("int", 0)).toThrow("a number is too long");
});

test("a text that is not UTF-8 is refused", () => {
  expect(() => new ProtobufReader(block(Uint8Array.of(0xff))).scalar("string", 2)).toThrow("not UTF-8");
});
