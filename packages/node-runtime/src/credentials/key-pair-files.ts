/** A private key and its certificate, as two files that are replaced together. */
import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import { existsSync, readFileSync, renameSync } from "node:fs";
import { VaultFileError } from "../config/index.ts";
import { writeSecretFile } from "../config/write-vault-file.ts";

export interface PairFiles {
  readonly cert: string;
  readonly key: string;
}

/** PEM texts. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

/** Suffix of a key or certificate that is about to replace the file without the suffix. */
const NEXT = ".next";

/**
 * Reads a pair. Throws a VaultFileError if the certificate is not for the key. If a process was killed between the two
 * renames of `replacePair`, the second one is made here.
 */
export function readPair(files: PairFiles): Pair {
  const key = read(files.key);
  const waiting = `${files.cert}${NEXT}`;
  if (!isAbout(read(files.cert), key) && existsSync(waiting) && isAbout(read(waiting), key)) {
    renameSync(waiting, files.cert);
  }
  const cert = read(files.cert);
  if (!isAbout(cert, key)) {
    throw new VaultFileError(
      `The certificate ${files.cert} is not for the key ${files.key}; make another bundle with vault bundle, and join again.`,
    );
  }
  return { cert, key };
}

/** Returns the key that waits for its certificate; null if there is none. */
export function readNextKey({ key }: PairFiles): string | null {
  return existsSync(`${key}${NEXT}`) ? read(`${key}${NEXT}`) : null;
}

export function keepNextKey({ key }: PairFiles, pem: string): void {
  writeSecretFile(`${key}${NEXT}`, pem);
}

/** Installs a certificate for the current key. */
export function replaceCertificate({ cert }: PairFiles, pem: string): void {
  writeSecretFile(cert, pem);
}

/** Installs a certificate and the key that waited for it. */
export function replacePair({ cert, key }: PairFiles, pem: string): void {
  writeSecretFile(`${cert}${NEXT}`, pem);
  renameSync(`${key}${NEXT}`, key);
  renameSync(`${cert}${NEXT}`, cert);
}

/** Returns the public key as base64 of its SPKI, by which keys are compared. */
export function publicTextIn(privatePem: string): string {
  return encodeSpki(createPublicKey(privatePem));
}

export function encodeSpki(key: KeyObject): string {
  return key.export({ type: "spki", format: "der" }).toString("base64");
}

export interface CertificateFacts {
  /** Common name of the authority, or its full name if it has none. */
  readonly issuer: string;
  readonly validUntilMs: number;
}

/** Reads the first certificate of the text; further ones are its chain. */
export function readCertificateFacts(pem: string): CertificateFacts {
  const { issuer, validToDate } = new X509Certificate(pem);
  const commonName = /^CN=(.+)$/m.exec(issuer)?.[1];
  return { issuer: commonName ?? issuer.replaceAll("\n", ", "), validUntilMs: validToDate.getTime() };
}

function isAbout(cert: string, key: string): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch (error) {
    throw new VaultFileError(`A key or certificate cannot be read: ${(error as Error).message}.`);
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new VaultFileError(`${path} cannot be read: ${(error as Error).message}.`);
  }
}
