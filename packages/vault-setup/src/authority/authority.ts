/**
 * The authority of a vault, which alone signs the certificates of nodes. Its own key is ECDSA P-256, which every S3
 * client can verify; nodes keep their Ed25519 keys, and a certificate vouches for the node's key
 * (docs/decisions/0014-an-authority-vouches-for-node-keys.md).
 */
import "reflect-metadata";
import { createPrivateKey, createPublicKey, type KeyObject, webcrypto, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import * as x509 from "@peculiar/x509";
import { certificateMarks } from "@stashlight/contracts/thresholds";
import { DAY_MS, MINUTE_MS } from "@stashlight/contracts/time";

export interface Authority {
  /** Certificate in PEM. */
  readonly certificate: string;
  /** Private key, PKCS #8 in PEM. */
  readonly key: string;
}

export interface CertificateRequest {
  /** Name in the certificate; the id of a node. */
  readonly name: string;
  readonly publicKey: KeyObject;
  /** Host names and addresses in addition to the name. */
  readonly hosts: readonly string[];
  readonly nowMs: number;
  readonly days?: number;
}

const AUTHORITY_DAYS = 3650;
/** Certificates are valid from slightly before they are issued, because clocks differ. */
const BACKDATED_MS = 5 * MINUTE_MS;

const P256 = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

x509.cryptoProvider.set(webcrypto);

export async function createAuthority(vault: string, nowMs: number): Promise<Authority> {
  const keys = (await webcrypto.subtle.generateKey(P256, true, [
    "sign",
    "verify",
  ])) as webcrypto.CryptoKeyPair;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [`Stashlight authority of the vault ${vault}`] }],
    ...validity(nowMs, AUTHORITY_DAYS),
    signingAlgorithm: P256,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: toPem(certificate), key: await exportPrivatePem(keys.privateKey) };
}

/** Issues a certificate, in PEM, that is valid for both client and server. */
export async function issueCertificate(
  { certificate, key }: Authority,
  { name, publicKey, hosts, nowMs, days = certificateMarks.lifetimeDays }: CertificateRequest,
): Promise<string> {
  const issuer = new x509.X509Certificate(certificate);
  const names = [...new Set([name, ...hosts])].map(
    (host) => ({ type: isIP(host) === 0 ? "dns" : "ip", value: host }) as const,
  );
  const issued = await x509.X509CertificateGenerator.create({
    subject: [{ CN: [name] }],
    issuer: issuer.subjectName,
    ...validity(nowMs, days),
    signingAlgorithm: P256,
    signingKey: createPrivateKey(key).toCryptoKey(P256, false, ["sign"]),
    publicKey: publicKey.toCryptoKey(keyAlgorithm(publicKey), true, ["verify"]),
    extensions: [
      new x509.SubjectAlternativeNameExtension(names),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([
        x509.ExtendedKeyUsage.serverAuth,
        x509.ExtendedKeyUsage.clientAuth,
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(await issuer.publicKey.export()),
    ],
  });
  return toPem(issued);
}

/** Creates a key for the S3 endpoint, of a kind that every client can verify. PKCS #8 in PEM. */
export async function createEdgeKey(): Promise<string> {
  const keys = (await webcrypto.subtle.generateKey(P256, true, [
    "sign",
    "verify",
  ])) as webcrypto.CryptoKeyPair;
  return await exportPrivatePem(keys.privateKey);
}

/** Derives the public key from a private key in PEM. */
export const publicKeyIn = (privatePem: string): KeyObject => createPublicKey(privatePem);

/** True if the certificate belongs to the key beside it. */
export function isWholeAuthority({ certificate, key }: Authority): boolean {
  return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
}

function validity(nowMs: number, days: number) {
  return { notBefore: new Date(nowMs - BACKDATED_MS), notAfter: new Date(nowMs + days * DAY_MS) };
}

function keyAlgorithm({ asymmetricKeyType }: KeyObject) {
  return asymmetricKeyType === "ed25519" ? { name: "Ed25519" } : P256;
}

const toPem = (certificate: x509.X509Certificate): string => `${certificate.toString("pem").trim()}\n`;

async function exportPrivatePem(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", key));
  return createPrivateKey({ key: der, format: "der", type: "pkcs8" })
    .export({ type: "pkcs8", format: "pem" })
    .toString();
}
