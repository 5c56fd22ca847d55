/**
 * A node proves its identity by signing the whole conversation so far. The signed text names the signer's role, so a
 * proof sent back to its author proves nothing. It contains both sides' random numbers, so an old proof is invalid.
 * Under TLS it also contains a secret of the TLS session (RFC 9266), so a man in the middle of two sessions cannot
 * relay a proof.
 */
import { type KeyObject, sign, verify } from "node:crypto";

export type Part = "caller" | "called";

export interface Transcript {
  /** The frames exactly as sent. */
  readonly hello: Uint8Array;
  readonly challenge: Uint8Array;
  /** Exported from the TLS session; empty without TLS. */
  readonly channel: Uint8Array;
}

const PURPOSE = "stashlight node handshake";

/** Returns the signature as hexadecimal digits. */
export function createProof(key: KeyObject, part: Part, transcript: Transcript): string {
  return sign(null, signedText(part, transcript), key).toString("hex");
}

export function isProof(key: KeyObject, part: Part, transcript: Transcript, proof: string): boolean {
  return verify(null, signedText(part, transcript), key, Buffer.from(proof, "hex"));
}

/** Each part is prefixed with its length, so that no two transcripts have the same encoding. */
function signedText(part: Part, { hello, challenge, channel }: Transcript): Buffer {
  const texts = [Buffer.from(PURPOSE), Buffer.from(part), hello, challenge, channel];
  return Buffer.concat(
    texts.flatMap((text) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(text.length);
      return [length, text];
    }),
  );
}
