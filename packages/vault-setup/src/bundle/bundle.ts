/**
 * Everything that one machine needs to join: its copy of the vault file, the private keys and certificates of its own
 * nodes, and the authority's certificate. The authority signs the bundle, so that a truncated, changed or forged one is
 * detected. It contains private keys, so it has mode 0600 and is to be removed after the machine has joined.
 */
import { createPublicKey, sign, verify, X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { writeSecretFile } from "@stashlight/node-runtime/config";
import { z } from "zod";
import type { Authority } from "../authority/authority.ts";
import { SetupError } from "../setup-error.ts";

const FORMAT = "stashlight bundle 1";
const OTHERS_MAY_ACCESS = 0o077;
const BUNDLE_BYTES_MAX = 16 * 1_048_576;

const token = z.string().optional();
const contentSchema = z.strictObject({
  format: z.literal(FORMAT),
  vault: z.string(),
  clusterId: z.string(),
  machine: z.string(),
  issuedAt: z.iso.datetime(),
  /** Keyed by path relative to the folder of the machine's vault. */
  files: z.record(z.string().regex(/^[a-z0-9][A-Za-z0-9./-]*$/), z.string()),
  tokens: z.strictObject({ pod: token, stash: token, coordinator: token }),
});
const bundleSchema = contentSchema.extend({ signature: z.base64() });

export type BundleContent = z.output<typeof contentSchema>;

/** Files in every bundle, regardless of the machine's roles. */
export const BUNDLE_CA = "ca.pem";
export const BUNDLE_VAULT = "vault.json";

export function writeBundle(
  path: string,
  content: Omit<BundleContent, "format">,
  authority: Authority,
): void {
  const whole = { format: FORMAT, ...content };
  const signature = sign("sha256", signedText(whole), authority.key).toString("base64");
  writeSecretFile(path, `${JSON.stringify({ ...whole, signature }, null, 2)}\n`);
}

/** Throws a SetupError for a file that is not a bundle, is incomplete, or can be read by other users. */
export function readBundle(path: string): BundleContent {
  const { signature, ...content } = parse(path);
  if (!isSignedBy(content.files[BUNDLE_CA], content, signature)) {
    throw new SetupError(
      `The bundle ${path} is damaged or was changed: its signature does not match its content. Copy it again.`,
    );
  }
  return content;
}

/** True if the authority of an existing vault has signed the bundle. */
export function isSignedByAuthority(path: string, ca: string): boolean {
  const { signature, ...content } = parse(path);
  return isSignedBy(ca, content, signature);
}

function parse(path: string): z.output<typeof bundleSchema> {
  let text: string;
  try {
    const { mode, size } = statSync(path);
    if ((mode & OTHERS_MAY_ACCESS) !== 0) {
      throw new SetupError(
        `Users other than its owner can read the bundle ${path}, which holds private keys; run chmod 600 on it.`,
      );
    }
    if (size > BUNDLE_BYTES_MAX) throw notABundle(path);
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof SetupError) throw error;
    throw new SetupError(`The bundle ${path} cannot be read: ${(error as Error).message}.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const isCut = text.trimStart().startsWith("{");
    throw isCut
      ? new SetupError(`The bundle ${path} is cut off or damaged; copy it again.`)
      : notABundle(path);
  }
  const parsed = bundleSchema.safeParse(value);
  if (!parsed.success) throw notABundle(path);
  return parsed.data;
}

const notABundle = (path: string): SetupError =>
  new SetupError(`${path} is not a machine's bundle; vault create writes bundles to its folder bundles.`);

function isSignedBy(ca: string | undefined, content: object, signature: string): boolean {
  try {
    const { publicKey } = new X509Certificate(ca ?? "");
    return verify(
      "sha256",
      signedText(content),
      createPublicKey(publicKey.export({ type: "spki", format: "pem" })),
      Buffer.from(signature, "base64"),
    );
  } catch {
    return false;
  }
}

/** Orders the members as in the schema, like a parsed bundle. */
function signedText(content: object): Buffer {
  return Buffer.from(`stashlight bundle\n${JSON.stringify(content)}`);
}
