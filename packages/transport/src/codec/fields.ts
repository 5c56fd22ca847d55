/** Reads and writes single values of a message, and combines them. */
import { type FieldReader, malformed } from "./reader.ts";
import type { FrameWriter } from "./writer.ts";

export interface Field<Value> {
  readonly write: (writer: FrameWriter, value: Value) => void;
  readonly read: (reader: FieldReader) => Value;
}

export const u16: Field<number> = {
  write: (writer, value) => writer.u16(value),
  read: (reader) => reader.u16(),
};

export const u32: Field<number> = {
  write: (writer, value) => writer.u32(value),
  read: (reader) => reader.u32(),
};

/** An integer from 0 to 2^53 - 1, in eight bytes. */
export const u64: Field<number> = {
  write: (writer, value) => writer.u64(value),
  read: (reader) => reader.u64(),
};

export const text: Field<string> = {
  write: (writer, value) => writer.text(value),
  read: (reader) => reader.text(),
};

export const bool: Field<boolean> = {
  write: (writer, value) => writer.u8(value ? 1 : 0),
  read: (reader) => readBool(reader),
};

function readBool(reader: FieldReader): boolean {
  const byte = reader.u8();
  if (byte > 1) throw malformed(`a boolean is ${byte}`);
  return byte === 1;
}

export const hex = (byteCount: number): Field<string> => ({
  write: (writer, value) => writer.hex(value, byteCount),
  read: (reader) => reader.hex(byteCount),
});

/** One of several names, written as its number in the table. A name never changes its number. */
export function enumField<Name extends string>(numbers: Readonly<Record<Name, number>>): Field<Name> {
  const names = new Map(Object.entries(numbers).map(([name, number]) => [number as number, name as Name]));
  return {
    write: (writer, value) => writer.u8(numbers[value]),
    read: (reader) => {
      const number = reader.u8();
      const name = names.get(number);
      if (name === undefined) throw malformed(`a choice is ${number}, which this version does not know`);
      return name;
    },
  };
}

export function nullable<Value>(field: Field<Value>): Field<Value | null> {
  return {
    write: (writer, value) => {
      writer.u8(value === null ? 0 : 1);
      if (value !== null) field.write(writer, value);
    },
    read: (reader) => (readBool(reader) ? field.read(reader) : null),
  };
}

/**
 * The last field of a message, absent in its first versions. It is omitted if it has the default value, so that a node
 * that does not know the field accepts the message; otherwise that node refuses it.
 */
export function trailing<Value>(
  field: Field<Value>,
  defaultValue: Value,
  isDefault: (value: Value) => boolean,
): Field<Value> {
  return {
    write: (writer, value) => {
      if (!isDefault(value)) field.write(writer, value);
    },
    read: (reader) => (reader.isAtEnd ? defaultValue : field.read(reader)),
  };
}

export function list<Value>(field: Field<Value>): Field<readonly Value[]> {
  return {
    write: (writer, values) => {
      writer.u32(values.length);
      for (const value of values) field.write(writer, value);
    },
    read: (reader) => {
      const values: Value[] = [];
      for (let left = reader.count(); left > 0; left -= 1) values.push(field.read(reader));
      return values;
    },
  };
}

/** One field for each property but `type`, in the order in which they are written. */
export type FieldsOf<Value> = { readonly [Name in Exclude<keyof Value, "type">]-?: Field<Value[Name]> };

export function record<Value extends object>(fields: FieldsOf<Value>): Field<Value> {
  return fieldsInOrder<Value>(fields, () => ({}));
}

/** Like `record`, for a member of a union, whose `type` is known from context. */
export function member<Value extends { readonly type: string }>(
  type: Value["type"],
  fields: FieldsOf<Value>,
): Field<Value> {
  return fieldsInOrder<Value>(fields, () => ({ type }));
}

function fieldsInOrder<Value extends object>(
  fields: FieldsOf<Value>,
  create: () => Record<string, unknown>,
): Field<Value> {
  const named = Object.entries<Field<unknown>>(fields as unknown as Record<string, Field<unknown>>);
  return {
    write: (writer, value) => {
      for (const [name, field] of named) field.write(writer, (value as Record<string, unknown>)[name]);
    },
    read: (reader) => {
      const value = create();
      for (const [name, field] of named) value[name] = field.read(reader);
      return value as Value;
    },
  };
}

/** A value of a union: the number of its `type`, then its fields. */
export function union<Value extends { readonly type: string }>(
  members: {
    readonly [Type in Value["type"]]: readonly [number, FieldsOf<Extract<Value, { type: Type }>>];
  },
): Field<Value> {
  const entries = Object.entries<readonly [number, FieldsOf<Value>]>(
    members as unknown as Record<string, readonly [number, FieldsOf<Value>]>,
  ).map(([type, [number, fields]]) => ({ type, number, field: member<Value>(type, fields) }));
  const byType = new Map(entries.map((entry) => [entry.type, entry]));
  const byNumber = new Map(entries.map((entry) => [entry.number, entry]));
  return {
    write: (writer, value) => {
      const entry = byType.get(value.type) as (typeof entries)[number];
      writer.u8(entry.number);
      entry.field.write(writer, value);
    },
    read: (reader) => {
      const number = reader.u8();
      const entry = byNumber.get(number);
      if (!entry) throw malformed(`a choice is ${number}, which this version does not know`);
      return entry.field.read(reader);
    },
  };
}
