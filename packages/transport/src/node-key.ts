/** The keys that identify nodes: Ed25519, the private key as PEM, the public key as a short text. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  type X509Certificate,
} from "node:crypto";

/** The keys with which a node proves its identity and verifies others. */
export interface NodeKeys {
  /** This node's own private key. */
  readonly own: KeyObject;
  /**
   * Returns a node's public key; null for a node that is not part of this vault. The certificate, null without TLS, was
   * signed for this node by an authority of the vault.
   */
  readonly publicKeyOf: (nodeId: string, certificate: X509Certificate | null) => KeyObject | null;
}

/** Creates a private key, as PKCS #8 in PEM. */
export function createNodeKey(): string {
  return generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

/** Reads a private key. Throws if the text is not a private Ed25519 key. */
export function readNodeKey(pem: string): KeyObject {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== "ed25519")
    throw new Error(`It is a key of the type ${key.asymmetricKeyType}`);
  return key;
}

/** Formats a public key, or the public half of a private one: 32 bytes as 43 characters of base64url. */
export function publicKeyText(key: KeyObject): string {
  const publicKey = key.type === "public" ? key : createPublicKey(key);
  return publicKey.export({ format: "jwk" }).x as string;
}

/** Reads the text that `publicKeyText` wrote. Throws if it is malformed. */
export function readPublicKey(text: string): KeyObject {
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: text }, format: "jwk" });
}
