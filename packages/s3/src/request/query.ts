/** The query of a request: parameters as bytes for the signature, as text for the operations. */
import { S3Error } from "../errors.ts";
import { percentDecode, utf8OfBytes } from "./percent.ts";

export interface QueryParameter {
  /** Byte strings, percent-decoded. */
  readonly name: string;
  readonly value: string;
}

export interface Query {
  readonly parameters: readonly QueryParameter[];
  has(name: string): boolean;
  /** Text of a parameter that may be given once; throws if it was repeated or is not UTF-8. */
  get(name: string): string | undefined;
}

/** `raw` is the text after the question mark. A plus sign represents a space, as in forms. */
export function parseQuery(raw: string): Query {
  const parameters: QueryParameter[] = [];
  for (const part of raw.split("&")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = equals === -1 ? part : part.slice(0, equals);
    const value = equals === -1 ? "" : part.slice(equals + 1);
    parameters.push({ name: decodeForm(name), value: decodeForm(value) });
  }
  return {
    parameters,
    has: (name) => parameters.some((parameter) => parameter.name === name),
    get: (name) => getOnce(parameters, name),
  };
}

function decodeForm(text: string): string {
  return percentDecode(text.includes("+") ? text.replaceAll("+", " ") : text);
}

function getOnce(parameters: readonly QueryParameter[], name: string): string | undefined {
  const found = parameters.filter((parameter) => parameter.name === name);
  if (found.length > 1)
    throw new S3Error("InvalidArgument", `The query parameter ${name} is given more than once.`);
  const value = found[0]?.value;
  if (value === undefined) return undefined;
  const text = utf8OfBytes(value);
  if (text === null) throw new S3Error("InvalidArgument", `The query parameter ${name} is not UTF-8.`);
  return text;
}

/** Reads an integer from `min` to `max`; `otherwise` if the parameter is absent. Larger numbers become `max`. */
export function getInteger(
  query: Query,
  name: string,
  { min, max, otherwise }: { min: number; max: number; otherwise: number },
): number {
  const text = query.get(name);
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!/^\d{1,15}$/.test(text) || value < min) {
    throw new S3Error("InvalidArgument", `${name} must be an integer from ${min} to ${max}.`);
  }
  return Math.min(value, max);
}
