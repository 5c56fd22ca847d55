/**
 * A node proves that it is the one answering on its admin port by signing a nonce that the client has just drawn. Only
 * then does the client send the token, over the same connection, so a program that has taken the port of a node that is
 * down does not get the token.
 */
import { type KeyObject, sign, verify } from "node:crypto";

/** The client's nonce, as 64 hexadecimal digits. */
export const NONCE_HEADER = "x-stashlight-nonce";
export const PROOF_HEADER = "x-stashlight-proof";
const NONCE_PATTERN = /^[0-9a-f]{64}$/;

/** Null for a malformed nonce. */
export function createPageProof(key: KeyObject, nodeId: string, nonce: unknown): string | null {
  if (typeof nonce !== "string" || !NONCE_PATTERN.test(nonce)) return null;
  return sign(null, signedText(nodeId, nonce), key).toString("base64url");
}

export function isPageProof(publicKey: KeyObject, nodeId: string, nonce: string, proof: unknown): boolean {
  return (
    typeof proof === "string" &&
    verify(null, signedText(nodeId, nonce), publicKey, Buffer.from(proof, "base64url"))
  );
}

/** Node names and nonces contain no line feed. No text that the transport signs begins like this. */
function signedText(nodeId: string, nonce: string): Buffer {
  return Buffer.from(`stashlight admin page\n${nodeId}\n${nonce}`);
}
