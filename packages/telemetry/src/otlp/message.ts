/**
 * Messages of OTLP in its two encodings, protobuf and JSON: each message is described once, by its fields' JSON names,
 * and read from either. Unknown fields are skipped, as both encodings require.
 */
import { malformedOtlp, ProtobufReader, type Scalar } from "./protobuf-reader.ts";

export interface Field {
  readonly number: number;
  readonly kind: Scalar | Schema;
  readonly isRepeated: boolean;
  /** Marks a list that is read as `Messages`. */
  readonly isLazy?: true;
}

export type Schema = { readonly [name: string]: Field };

export const one = (number: number, kind: Field["kind"]): Field => ({ number, kind, isRepeated: false });
export const many = (number: number, kind: Field["kind"]): Field => ({ number, kind, isRepeated: true });

/**
 * For lists with tens of thousands of members, which would take several times the request's memory if decoded at once.
 */
export const lazily = (number: number, kind: Schema): Field => ({ ...many(number, kind), isLazy: true });

/** Limit on the messages and numbers in one request, which take a few bytes each there and many more in memory. */
const ITEM_COUNT_MAX = 500_000;

interface Budget {
  left: number;
}

type Fields = Record<string, unknown>;

function spend(budget: Budget): void {
  budget.left -= 1;
  if (budget.left < 0) throw malformedOtlp(`it has more than ${ITEM_COUNT_MAX} parts`);
}

const byNumber = new WeakMap<Schema, ReadonlyMap<number, readonly [string, Field]>>();

function findField(schema: Schema, number: number): readonly [string, Field] | undefined {
  const known =
    byNumber.get(schema) ??
    new Map(Object.entries(schema).map(([name, field]) => [field.number, [name, field] as const]));
  byNumber.set(schema, known);
  return known.get(number);
}

/** Throws `invalid_input` for bytes that are not protobuf, or fields of the wrong type. */
export function fromProtobuf(schema: Schema, bytes: Uint8Array): Fields {
  return readMessage(schema, new ProtobufReader(bytes), { left: ITEM_COUNT_MAX });
}

function readMessage(schema: Schema, reader: ProtobufReader, budget: Budget): Fields {
  spend(budget);
  const fields: Fields = {};
  while (!reader.isAtEnd) {
    const { number, wireType } = reader.tag();
    const described = findField(schema, number);
    if (described === undefined) {
      reader.skip(wireType);
      continue;
    }
    const [name, { kind, isRepeated, isLazy }] = described;
    if (typeof kind === "object" && isLazy) {
      const list = (fields[name] ??
        new LazyList((part: ProtobufReader) => readMessage(kind, part, budget))) as LazyList;
      list.parts.push(reader.message(wireType));
      fields[name] = list;
    } else if (typeof kind === "object") {
      const message = readMessage(kind, reader.message(wireType), budget);
      if (isRepeated) requireList(fields, name).push(message);
      else fields[name] = message;
    } else if (isRepeated) {
      for (const value of reader.scalars(kind, wireType)) {
        spend(budget);
        requireList(fields, name).push(value);
      }
    } else fields[name] = reader.scalar(kind, wireType);
  }
  return fields;
}

/** List whose messages are decoded one by one, each time it is iterated. */
export interface Messages<Message> extends Iterable<Message> {
  readonly length: number;
}

class LazyList<Part = ProtobufReader> implements Messages<Fields> {
  readonly parts: Part[];
  readonly #read: (part: Part) => Fields;

  constructor(read: (part: Part) => Fields, parts: Part[] = []) {
    this.#read = read;
    this.parts = parts;
  }

  get length(): number {
    return this.parts.length;
  }

  *[Symbol.iterator](): Generator<Fields> {
    for (const part of this.parts) yield this.#read(part);
  }
}

function requireList(fields: Fields, name: string): unknown[] {
  const list = (fields[name] ?? []) as unknown[];
  fields[name] = list;
  return list;
}

/** Throws `invalid_input` for text that is not JSON, or members of the wrong type. */
export function fromJson(schema: Schema, bytes: Uint8Array): Fields {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw malformedOtlp("it is not JSON");
  }
  return parseFields(schema, value, { left: ITEM_COUNT_MAX });
}

function parseFields(schema: Schema, value: unknown, budget: Budget): Fields {
  spend(budget);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw malformedOtlp("an object was expected");
  }
  const fields: Fields = {};
  for (const [name, { kind, isRepeated, isLazy }] of Object.entries(schema)) {
    const member = Object.hasOwn(value, name) ? (value as Fields)[name] : undefined;
    if (member === undefined || member === null) continue;
    const read = (each: unknown): unknown => {
      if (typeof kind === "object") return parseFields(kind, each, budget);
      spend(budget);
      return parseScalar(kind, each, name);
    };
    if (!isRepeated) fields[name] = read(member);
    else if (!Array.isArray(member)) throw malformedOtlp(`${name} is not a list`);
    else fields[name] = isLazy ? new LazyList(read as (each: unknown) => Fields, member) : member.map(read);
  }
  return fields;
}

/** Numbers may be strings: 64-bit integers always are, and so are values that JSON numbers cannot represent. */
function parseScalar(kind: Scalar, value: unknown, name: string): unknown {
  if (kind === "string" || kind === "bool") {
    if (typeof value === (kind === "string" ? "string" : "boolean")) return value;
    throw malformedOtlp(`${name} is not a ${kind}`);
  }
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  const isNumber = typeof number === "number" && (!Number.isNaN(number) || value === "NaN");
  if (!isNumber || (kind !== "double" && !Number.isInteger(number))) {
    throw malformedOtlp(`${name} is not a ${kind === "double" ? "number" : "whole number"}`);
  }
  return number;
}
