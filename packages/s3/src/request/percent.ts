/**
 * Percent-encoding of bytes. A "byte string" holds one byte per character (latin1), which is how Node represents a
 * request's headers and address, so hashing and comparing are exact.
 */
import { S3Error } from "../errors.ts";

/** Decodes `text` to a byte string; throws InvalidURI if a percent sign is not followed by two hex digits. */
export function percentDecode(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(/%([0-9A-Fa-f]{2})?/g, (_, hex: string | undefined) => {
    if (hex === undefined) {
      throw new S3Error("InvalidURI", "A percent sign in the address is not followed by two hex digits.");
    }
    return String.fromCharCode(Number.parseInt(hex, 16));
  });
}

/** Encodes everything but letters, digits and `-._~`, as Signature Version 4 requires. */
export function percentEncode(bytes: string): string {
  return bytes.replace(/[^A-Za-z0-9\-._~]/g, encodeCharacter);
}

/** Like percentEncode, but keeps the slashes of an object's path. */
export function percentEncodePath(bytes: string): string {
  return bytes.replace(/[^A-Za-z0-9\-._~/]/g, encodeCharacter);
}

function encodeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes a byte string as UTF-8; null if it is invalid. */
export function utf8OfBytes(bytes: string): string | null {
  if (!/[\x80-\xff]/.test(bytes)) return bytes;
  try {
    return utf8.decode(Buffer.from(bytes, "latin1"));
  } catch {
    return null;
  }
}

/** Encodes a text as a byte string of its UTF-8 bytes. */
export function bytesOfUtf8(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
