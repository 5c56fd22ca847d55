/** What the verbs of endpoints share: finding one, and what may not be done to it. */
import { X509Certificate } from "node:crypto";
import { StashlightError } from "@stashlight/contracts/errors";
import type { Transaction } from "@stashlight/db";
import type { StoredEndpoint } from "./target.ts";

type EndpointReader = Pick<Transaction, "endpoint">;

export async function findEndpoint(tx: EndpointReader, endpointId: string): Promise<StoredEndpoint> {
  // A drive belongs to its probe, which says what it is.
  const endpoint = await tx.endpoint.findUnique({ where: { id: endpointId, kind: { not: "drive" } } });
  if (endpoint === null) throw new StashlightError("not_found", "There is no such endpoint.");
  return endpoint;
}

/** The same, its row held until the transaction ends, so that no plan takes it up meanwhile. */
export async function lockEndpoint(tx: Transaction, endpointId: string): Promise<StoredEndpoint> {
  await tx.$queryRaw`SELECT id FROM endpoint WHERE id = ${endpointId}::uuid FOR UPDATE`;
  return findEndpoint(tx, endpointId);
}

export async function refuseTakenName(tx: EndpointReader, name: string, ownId: string | null): Promise<void> {
  const taken = await tx.endpoint.findUnique({ where: { name }, select: { id: true } });
  if (taken === null || taken.id === ownId) return;
  throw new StashlightError("conflict", `There is an endpoint "${name}" already; choose another name.`, {
    field: "name",
  });
}

/** What the product made for the vault beside it, it keeps as the vault is. */
export function refuseBuiltIn({ name, builtInKey }: StoredEndpoint): void {
  if (builtInKey === null) return;
  throw new StashlightError(
    "precondition_failed",
    `"${name}" belongs to the vault beside Stashlight, which keeps it up to date; add another endpoint instead.`,
  );
}

/** Looks like PEM after the input was parsed; here it is read. */
export function refuseBadCertificates(caPem: string): void {
  const blocks = caPem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g);
  try {
    if (caPem !== "" && blocks === null) throw new Error("no whole certificate");
    for (const block of blocks ?? []) new X509Certificate(block);
  } catch (cause) {
    throw new StashlightError(
      "invalid_input",
      "The certificates cannot be read: paste each whole, from BEGIN CERTIFICATE to END CERTIFICATE.",
      { field: "caPem", cause },
    );
  }
}

/** What the log may know. The key's id is named so that it is not taken for a secret. */
export function auditOfEndpoint(endpoint: StoredEndpoint) {
  const { name, kind, url, region, bucket, prefix, addressing, priceList } = endpoint;
  return {
    name,
    kind,
    url,
    region,
    bucket,
    prefix,
    addressing,
    hasOwnAuthorities: endpoint.caPem !== "",
    priceList: priceList === null ? null : JSON.parse(JSON.stringify(priceList)),
    ...auditOfKey(endpoint),
  };
}

export const auditOfKey = ({
  accessKeyId,
  secretHint,
}: Pick<StoredEndpoint, "accessKeyId" | "secretHint">) => ({ keyId: accessKeyId, endsWith: secretHint });
