/** Encodes OTLP answers in the encoding of the request. */
import { writeVarint } from "../histogram/varint.ts";
import type { OtlpEncoding } from "./request.ts";

const LENGTH = 2;
const VARINT = 0;

function block(number: number, content: Uint8Array): number[] {
  const bytes = [number * 8 + LENGTH];
  writeVarint(bytes, content.length);
  for (const byte of content) bytes.push(byte);
  return bytes;
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/**
 * ExportMetricsServiceResponse; empty without a message, which means that everything was stored as sent. A message
 * without rejected points is a warning.
 */
export function otlpAnswer(encoding: OtlpEncoding, rejectedCount: number, message: string): Uint8Array {
  const isTaken = rejectedCount === 0 && message === "";
  if (encoding === "json") {
    const partialSuccess = { rejectedDataPoints: String(rejectedCount), errorMessage: message };
    return text(JSON.stringify(isTaken ? {} : { partialSuccess }));
  }
  if (isTaken) return new Uint8Array(0);
  const count: number[] = [];
  if (rejectedCount > 0) {
    count.push(1 * 8 + VARINT);
    writeVarint(count, rejectedCount);
  }
  return Uint8Array.from(block(1, Uint8Array.from([...count, ...block(2, text(message))])));
}

/** google.rpc.Status, for a request that was refused entirely. */
export const otlpStatus = (encoding: OtlpEncoding, message: string): Uint8Array =>
  encoding === "json" ? text(JSON.stringify({ message })) : Uint8Array.from(block(2, text(message)));
