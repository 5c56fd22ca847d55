/**
 * Percent-encoding of bytes. A "byte string" holds one byte a character (latin1), which is how Node hands over a
 * request's headers and address; nothing is lost or changed when it is hashed or compared.
 */
import { S3Error } from "../errors.ts";

/** `text` as a byte string; InvalidURI where a percent sign is not followed by two hex digits. */
export function percentDecode(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(/%([0-9A-Fa-f]{2})?/g, (_, hex: string | undefined) => {
    if (hex === undefined) {
      throw new S3Error("InvalidURI", "A percent sign in the address is not followed by two hex digits.");
    }
    return String.fromCharCode(Number.parseInt(hex, 16));
  });
}

/** Everything but letters, digits and `-._~` encoded, as Signature Version 4 asks for. */
export function percentEncode(bytes: string): string {
  return bytes.replace(/[^A-Za-z0-9\-._~]/g, encodeCharacter);
}

/** The same with slashes kept, for the path of an object. */
export function percentEncodePath(bytes: string): string {
  return bytes.replace(/[^A-Za-z0-9\-._~/]/g, encodeCharacter);
}

function encodeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of a byte string, or null when it is not UTF-8. */
export function utf8OfBytes(bytes: string): string | null {
  if (!/[\x80-\xff]/.test(bytes)) return bytes;
  try {
    return utf8.decode(Buffer.from(bytes, "latin1"));
  } catch {
    return null;
  }
}

/** The inverse: the UTF-8 bytes of a text, one a character. */
export function bytesOfUtf8(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
