/** Helpers of the endpoint verbs: finding an endpoint, and the changes that are refused. */
import { X509Certificate } from "node:crypto";
import { StashlightError } from "@stashlight/contracts/errors";
import type { Transaction } from "@stashlight/db";
import type { StoredEndpoint } from "./target.ts";

type EndpointReader = Pick<Transaction, "endpoint">;

export async function findEndpoint(tx: EndpointReader, endpointId: string): Promise<StoredEndpoint> {
  // A drive belongs to its probe, which defines it.
  const endpoint = await tx.endpoint.findUnique({ where: { id: endpointId, kind: { not: "drive" } } });
  if (endpoint === null) throw new StashlightError("not_found", "There is no such endpoint.");
  return endpoint;
}

/** Finds an endpoint and locks its row until the transaction ends, so that no plan adds the endpoint in parallel. */
export async function lockEndpoint(tx: Transaction, endpointId: string): Promise<StoredEndpoint> {
  await tx.$queryRaw`SELECT id FROM endpoint WHERE id = ${endpointId}::uuid FOR UPDATE`;
  return findEndpoint(tx, endpointId);
}

/** Endpoints of the product's local vault follow that vault, and cannot be changed. */
export function refuseBuiltIn({ name, builtInKey }: StoredEndpoint): void {
  if (builtInKey === null) return;
  throw new StashlightError(
    "precondition_failed",
    `"${name}" belongs to the vault beside Stashlight, which keeps it up to date; add another endpoint instead.`,
  );
}

/** The input was only checked for PEM's form, so it is parsed here. */
export function refuseBadCertificates(caPem: string): void {
  const blocks = caPem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g);
  try {
    if (caPem !== "" && blocks === null) throw new Error("not a complete certificate");
    for (const block of blocks ?? []) new X509Certificate(block);
  } catch (cause) {
    throw new StashlightError(
      "invalid_input",
      "The certificates cannot be read: paste each whole, from BEGIN CERTIFICATE to END CERTIFICATE.",
      { field: "caPem", cause },
    );
  }
}

/** Fields for the audit log. The access key ID is called `keyId` there, so that it is not redacted as a secret. */
export function endpointAudit(endpoint: StoredEndpoint) {
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
    ...endpointKeyAudit(endpoint),
  };
}

export const endpointKeyAudit = ({
  accessKeyId,
  secretHint,
}: Pick<StoredEndpoint, "accessKeyId" | "secretHint">) => ({ keyId: accessKeyId, endsWith: secretHint });
