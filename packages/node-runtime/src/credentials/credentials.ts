/**
 * Keys and certificates of a running node. They are replaced without a restart: from the files, which are checked every
 * few seconds, or by a certificate that the authority has signed. New connections use the new ones; open connections
 * continue.
 */
import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { createNodeKey, type NodeKeys, type TlsIdentity } from "@stashlight/transport";
import {
  nodeKeyPath,
  readNodeKeys,
  type VaultFile,
  VaultFileError,
  type VaultNode,
} from "../config/index.ts";
import {
  type CertificateFacts,
  encodeSpki,
  keepNextKey,
  type Pair,
  type PairFiles,
  publicTextIn,
  readCertificateFacts,
  readNextKey,
  readPair,
  replaceCertificate,
  replacePair,
} from "./key-pair-files.ts";

/** Rejection of a certificate that does not fit this node, with the reason as a sentence. */
export class CertificateRefused extends Error {
  override readonly name = "CertificateRefused";
}

export interface Renewal {
  /** PEM certificate of the node's current or next key. */
  readonly certificate: string;
  /** PEM certificate of a coordinator's S3 endpoint. */
  readonly edgeCertificate?: string | undefined;
}

/** Public keys as SPKI in base64, and the expiry of their certificates in milliseconds since 1970. */
export interface CertificateState {
  readonly publicKey: string | null;
  readonly edgePublicKey: string | null;
  readonly validUntilMs: number | null;
  readonly edgeValidUntilMs: number | null;
}

interface Loaded {
  readonly keys: NodeKeys;
  readonly tls: TlsIdentity | null;
  readonly edge: Pair | null;
  readonly certificates: readonly NodeCertificate[];
}

/** A certificate that the node presents: to other nodes, or to the clients of its S3 endpoint. */
export interface NodeCertificate extends CertificateFacts {
  readonly certificate: "node" | "s3";
}

const LOOK_EVERY_MS = 2000;

export class NodeCredentials {
  #file: VaultFile;
  #node: VaultNode;
  readonly #listeners = new Set<() => void>();
  #loaded: Loaded;
  #stamp: string;
  #look: NodeJS.Timeout | null = null;

  /** Throws a VaultFileError if the node cannot prove its identity. */
  constructor(file: VaultFile, node: VaultNode) {
    this.#file = file;
    this.#node = node;
    this.#stamp = this.#readStamp();
    this.#loaded = load(file, node);
  }

  get keys(): NodeKeys {
    return this.#loaded.keys;
  }

  get tls(): TlsIdentity | null {
    return this.#loaded.tls;
  }

  /** Certificate and key that a coordinator's S3 endpoint presents to clients. */
  get edge(): Pair | null {
    return this.#loaded.edge;
  }

  get certificates(): readonly NodeCertificate[] {
    return this.#loaded.certificates;
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /**
   * Watches the files; `trouble` is called once with the reason if new ones cannot be used, and the old ones stay in
   * use.
   */
  follow(changed: () => void, trouble: (reason: string) => void): void {
    this.onChange(changed);
    this.#look = setInterval(() => {
      const stamp = this.#readStamp();
      if (stamp === this.#stamp) return;
      this.#stamp = stamp;
      try {
        this.#reload();
      } catch (error) {
        trouble((error as Error).message);
      }
    }, LOOK_EVERY_MS);
    this.#look.unref();
  }

  /** Adopts another epoch of the vault, which may have other nodes. Throws a VaultFileError like the constructor. */
  adopt(file: VaultFile, node: VaultNode): void {
    this.#file = file;
    this.#node = node;
    this.#stamp = this.#readStamp();
    this.#reload();
  }

  stop(): void {
    if (this.#look !== null) clearInterval(this.#look);
  }

  state(): CertificateState {
    const { tls, edge } = this.#loaded;
    return {
      publicKey: tls === null ? null : publicTextIn(tls.key),
      edgePublicKey: edge === null ? null : publicTextIn(edge.key),
      validUntilMs: tls === null ? null : certificateEndMs(tls.cert),
      edgeValidUntilMs: edge === null ? null : certificateEndMs(edge.cert),
    };
  }

  /**
   * Returns the keys that wait for certificates, and creates missing ones. The private keys never leave this machine.
   */
  nextKeys(): Pick<CertificateState, "publicKey" | "edgePublicKey"> {
    const { own, edge } = this.#files();
    const provided = (files: PairFiles, create: () => string): string => {
      const present = readNextKey(files);
      if (present !== null) return publicTextIn(present);
      const key = create();
      keepNextKey(files, key);
      return publicTextIn(key);
    };
    return {
      publicKey: provided(own, createNodeKey),
      edgePublicKey: edge === null ? null : provided(edge, createEdgeKey),
    };
  }

  /** Installs certificates. Throws a CertificateRefused, in which case nothing has changed. */
  renew({ certificate, edgeCertificate }: Renewal): CertificateState {
    const { own, edge } = this.#files();
    const installOwn = this.#check(own, certificate, this.#loaded.tls?.cert);
    if (edgeCertificate !== undefined && edge === null) {
      throw new CertificateRefused(
        `${this.#node.id} has no S3 endpoint whose certificate the vault's authority signs.`,
      );
    }
    const installEdge =
      edge === null || edgeCertificate === undefined
        ? null
        : this.#check(edge, edgeCertificate, this.#loaded.edge?.cert);
    installOwn();
    installEdge?.();
    this.#stamp = this.#readStamp();
    this.#reload();
    return this.state();
  }

  #check(files: PairFiles, pem: string, present: string | undefined): () => void {
    const certificate = readCertificate(pem);
    const { id } = this.#node;
    const authorities = certificatesIn(readFileSync(this.#file.ca as string, "utf8"));
    if (!authorities.some((each) => certificate.checkIssued(each) && certificate.verify(each.publicKey))) {
      throw new CertificateRefused(`The certificate for ${id} is not signed by the vault's authority.`);
    }
    if (certificate.checkHost(id, { wildcards: false }) !== id) {
      throw new CertificateRefused(`The certificate is not for ${id}.`);
    }
    if (present !== undefined && certificate.validToDate.getTime() < certificateEndMs(present)) {
      throw new CertificateRefused(`The certificate for ${id} expires before the one that is in use.`);
    }
    const about = encodeSpki(certificate.publicKey);
    const next = readNextKey(files);
    if (next !== null && about === publicTextIn(next)) return () => replacePair(files, pem);
    if (about === publicTextIn(readFileSync(files.key, "utf8"))) return () => replaceCertificate(files, pem);
    throw new CertificateRefused(`The certificate for ${id} is for a key that the node does not have.`);
  }

  #files(): { readonly own: PairFiles; readonly edge: PairFiles | null } {
    const own = this.#node.tls;
    if (own === undefined || this.#file.ca === undefined || own.key !== nodeKeyPath(this.#node)) {
      throw new CertificateRefused(
        `${this.#node.id} has no certificate from an authority that vault create made.`,
      );
    }
    return { own, edge: ownEdgePair(this.#node) };
  }

  #reload(): void {
    this.#loaded = load(this.#file, this.#node);
    for (const listener of this.#listeners) listener();
  }

  /** Returns a value that changes whenever one of the files is written. */
  #readStamp(): string {
    const { tls } = this.#node;
    const edge = edgePair(this.#node);
    const paths = [this.#file.ca, tls?.cert, tls?.key, edge?.cert, edge?.key].flatMap((path) => path ?? []);
    return paths
      .map((path) => {
        const stats = statSync(path, { throwIfNoEntry: false });
        return stats === undefined ? "missing" : `${stats.ino} ${stats.mtimeMs} ${stats.size}`;
      })
      .join(", ");
  }
}

function load(file: VaultFile, node: VaultNode): Loaded {
  const { ca } = file;
  const isOwnKey = node.tls !== undefined && node.tls.key === nodeKeyPath(node);
  const pair = node.tls === undefined ? null : readPair(node.tls);
  const edgeFiles = edgePair(node);
  const tls = pair === null || ca === undefined ? null : { ca: readFileSync(ca, "utf8"), ...pair };
  const edge = edgeFiles === null ? null : isOwnKey ? readPair(edgeFiles) : readTexts(edgeFiles);
  return {
    // Also completes a replacement of the pair that was interrupted.
    keys: readNodeKeys(file, node),
    tls,
    edge,
    certificates: [
      ...(tls === null ? [] : [{ certificate: "node" as const, ...readCertificateFacts(tls.cert) }]),
      ...(edge === null ? [] : [{ certificate: "s3" as const, ...readCertificateFacts(edge.cert) }]),
    ],
  };
}

/** Certificates that are renewed outside the vault may include a chain, and are not checked here. */
function readTexts({ cert, key }: PairFiles): Pair {
  try {
    return { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") };
  } catch (error) {
    throw new VaultFileError(
      `The certificate of an S3 endpoint cannot be read: ${(error as Error).message}.`,
    );
  }
}

function edgePair(node: VaultNode): PairFiles | null {
  return node.role === "coordinator" ? (node.s3.tls ?? null) : null;
}

/**
 * Returns the endpoint's own pair. A certificate beside the node's own is from the vault's authority; one elsewhere is
 * renewed by its operator.
 */
function ownEdgePair(node: VaultNode): PairFiles | null {
  const edge = edgePair(node);
  return edge !== null && dirname(edge.key) === dirname(nodeKeyPath(node)) ? edge : null;
}

function createEdgeKey(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

const certificateEndMs = (pem: string): number => new X509Certificate(pem).validToDate.getTime();

function readCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new CertificateRefused("The text is not a certificate.");
  }
}

function certificatesIn(pem: string): X509Certificate[] {
  const texts = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  return texts.map((text) => new X509Certificate(text));
}
