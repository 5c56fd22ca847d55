/** Splits a request so that its beginning is sent early. */
import type { WireRequest } from "../wire/connection.ts";

const FIRST_PART_BYTES = 16_384;

/**
 * Splits a request so that the server can begin while the rest is handed to the kernel or encrypted. The first part
 * fills one TLS record and whole packets, so splitting costs no extra packet.
 */
export function splitRequest(head: Buffer, body: Buffer | null): Pick<WireRequest, "first" | "rest"> {
  if (body === null) return { first: head, rest: null };
  const startBytes = Math.max(0, FIRST_PART_BYTES - head.length);
  const first = Buffer.concat([head, body.subarray(0, startBytes)]);
  return { first, rest: body.length > startBytes ? body.subarray(startBytes) : null };
}
