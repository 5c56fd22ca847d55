/** X.509 certificates for tests: an authority and the certificates it signs, with only the DER that TLS needs. */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import type { TlsIdentity } from "../options.ts";

const ECDSA_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
const COMMON_NAME = [0x55, 0x04, 0x03];
const SUBJECT_ALT_NAME = [0x55, 0x1d, 0x11];
const BASIC_CONSTRAINTS = [0x55, 0x1d, 0x13];
const DAY_MS = 86_400_000;

function der(tag: number, ...parts: (Uint8Array | readonly number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const { length } = content;
  const lengthBytes =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content]);
}

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const oid = (bytes: readonly number[]) => der(0x06, bytes);
const name = (common: string) =>
  sequence(der(0x31, sequence(oid(COMMON_NAME), der(0x0c, Buffer.from(common)))));
const time = (atMs: number) => {
  const digits = new Date(atMs).toISOString().replace(/[-:T]/g, "").slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
};
const extension = (id: readonly number[], value: Uint8Array) => sequence(oid(id), der(0x04, value));

/** Validity period of a certificate, in UTC. */
export interface Validity {
  readonly fromMs: number;
  readonly untilMs: number;
}

const aroundNow = (): Validity => ({ fromMs: Date.now() - DAY_MS, untilMs: Date.now() + DAY_MS });

function certificate(
  subject: string,
  publicKey: KeyObject,
  issuer: string,
  issuerKey: KeyObject,
  isAuthority: boolean,
  { fromMs, untilMs }: Validity = aroundNow(),
): string {
  const algorithm = sequence(oid(ECDSA_SHA256));
  const extensions = isAuthority
    ? extension(BASIC_CONSTRAINTS, sequence(der(0x01, [0xff])))
    : extension(SUBJECT_ALT_NAME, sequence(der(0x82, Buffer.from(subject))));
  const body = sequence(
    der(0xa0, der(0x02, [2])),
    der(0x02, [1], randomBytes(8)),
    algorithm,
    name(issuer),
    sequence(time(fromMs), time(untilMs)),
    name(subject),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(extensions)),
  );
  const signature = sign("sha256", body, issuerKey);
  const bytes = sequence(body, algorithm, der(0x03, [0], signature));
  return `-----BEGIN CERTIFICATE-----\n${bytes.toString("base64")}\n-----END CERTIFICATE-----\n`;
}

export interface Authority {
  /** A key and a certificate that names this node. */
  readonly issue: (nodeId: string, validity?: Validity) => TlsIdentity;
}

export function createAuthority(authorityName: string): Authority {
  const own = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ca = certificate(authorityName, own.publicKey, authorityName, own.privateKey, true);
  return {
    issue: (nodeId, validity) => {
      const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const cert = certificate(nodeId, keys.publicKey, authorityName, own.privateKey, false, validity);
      return { ca, cert, key: keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
    },
  };
}
