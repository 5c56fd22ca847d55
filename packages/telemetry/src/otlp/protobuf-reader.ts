/** Reads protobuf's wire format, as tags followed by values. https://protobuf.dev/programming-guides/encoding/ */
import { StashlightError } from "@stashlight/contracts/errors";

/** Scalar kinds in OTLP metrics; numbers are read as JavaScript numbers of 53 bits. */
export type Scalar = "double" | "fixed64" | "sfixed64" | "uint" | "sint" | "int" | "bool" | "string";

const VARINT = 0;
const EIGHT_BYTES = 1;
const LENGTH = 2;
const FOUR_BYTES = 5;

const VARINT_BYTES_MAX = 10;

/** Wire type of each scalar kind, unless it is packed into a list. */
const wireTypes: Readonly<Record<Scalar, number>> = {
  double: EIGHT_BYTES,
  fixed64: EIGHT_BYTES,
  sfixed64: EIGHT_BYTES,
  uint: VARINT,
  sint: VARINT,
  int: VARINT,
  bool: VARINT,
  string: LENGTH,
};

export class ProtobufReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  tag(): { number: number; wireType: number } {
    const tag = Number(this.#varint());
    return { number: Math.floor(tag / 8), wireType: tag % 8 };
  }

  skip(wireType: number): void {
    if (wireType === VARINT) this.#varint();
    else if (wireType === EIGHT_BYTES) this.#pass(8);
    else if (wireType === FOUR_BYTES) this.#pass(4);
    else this.#block(wireType);
  }

  message(wireType: number): ProtobufReader {
    return new ProtobufReader(this.#block(wireType));
  }

  scalar(kind: Scalar, wireType: number): number | string | boolean {
    if (wireType !== wireTypes[kind]) throw malformedOtlp(`a field has the wire type ${wireType}`);
    return this.#value(kind);
  }

  /** Reads a repeated field, packed or one by one. */
  *scalars(kind: Scalar, wireType: number): Generator<number | string | boolean> {
    if (wireType !== LENGTH || wireTypes[kind] === LENGTH) {
      yield this.scalar(kind, wireType);
      return;
    }
    for (const packed = this.message(wireType); !packed.isAtEnd; ) yield packed.#value(kind);
  }

  #value(kind: Scalar): number | string | boolean {
    switch (kind) {
      case "double":
        return this.#view.getFloat64(this.#pass(8), true);
      case "fixed64":
        return Number(this.#view.getBigUint64(this.#pass(8), true));
      case "sfixed64":
        return Number(this.#view.getBigInt64(this.#pass(8), true));
      case "uint":
        return Number(this.#varint());
      case "int":
        return Number(BigInt.asIntN(64, BigInt(this.#varint())));
      case "sint": {
        const zigzag = Number(this.#varint());
        return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
      }
      case "bool":
        return Number(this.#varint()) !== 0;
      case "string":
        return text(this.#block(LENGTH));
    }
  }

  #varint(): number | bigint {
    const first = this.#byte();
    if (first < 128) return first;
    let value = BigInt(first - 128);
    for (let i = 1; i < VARINT_BYTES_MAX; i += 1) {
      const byte = this.#byte();
      value += BigInt(byte % 128) << BigInt(7 * i);
      if (byte < 128) return BigInt.asUintN(64, value);
    }
    throw malformedOtlp("a number is too long");
  }

  #byte(): number {
    return this.#bytes[this.#pass(1)] as number;
  }

  #block(wireType: number): Uint8Array {
    if (wireType !== LENGTH) throw malformedOtlp(`a field has the wire type ${wireType}`);
    const length = Number(this.#varint());
    const start = this.#pass(length);
    return this.#bytes.subarray(start, start + length);
  }

  /** Returns the position of the next `length` bytes, and skips them. */
  #pass(length: number): number {
    const start = this.#at;
    if (start + length > this.#bytes.length) throw malformedOtlp("it is cut off");
    this.#at = start + length;
    return start;
  }
}

function text(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw malformedOtlp("a text is not UTF-8");
  }
}

export function malformedOtlp(what: string): StashlightError {
  return new StashlightError("invalid_input", `The OTLP request cannot be read: ${what}.`);
}
