/**
 * Proves that a node is the one answering on its admin port: it signs a nonce that the client has just drawn. Only then
 * does the client send the token, over the same connection, so a program that has taken over the port of a stopped node
 * does not get the token.
 */
import { type KeyObject, sign, verify } from "node:crypto";

/** The client's nonce, as 64 hexadecimal digits. */
export const NONCE_HEADER = "x-stashlight-nonce";
export const PROOF_HEADER = "x-stashlight-proof";
const NONCE_PATTERN = /^[0-9a-f]{64}$/;

/** Signs the client's nonce; returns null for a malformed one. */
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

/**
 * Returns the text to sign. Node names and nonces contain no line feed, and no text that the transport signs begins
 * like this.
 */
function signedText(nodeId: string, nonce: string): Buffer {
  return Buffer.from(`stashlight admin page\n${nodeId}\n${nonce}`);
}
