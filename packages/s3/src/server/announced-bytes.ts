import type { IncomingMessage } from "node:http";

/** Bytes of content that the client announced, without headers and chunk framing; 0 if it announced none. */
export function announcedBytes({ headers }: IncomingMessage): number {
  const text = headers["x-amz-decoded-content-length"] ?? headers["content-length"];
  return typeof text === "string" && /^\d{1,15}$/.test(text) ? Number(text) : 0;
}
