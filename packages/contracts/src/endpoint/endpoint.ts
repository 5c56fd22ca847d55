/**
 * Endpoints: the object stores that benchmarks upload to. The secret key is write-only; its last characters identify
 * it.
 */
import { z } from "zod";
import { nameSchema } from "../name.ts";
import { credentialsProblem, endpointCredentialsSchema } from "./credentials.ts";
import { type StoreKind, storeKinds } from "./endpoint-kind.ts";

export const endpointAddressings = ["path", "host"] as const;
export type EndpointAddressing = (typeof endpointAddressings)[number];
/** Modelled if the endpoint's drives are; every figure measured on it is marked accordingly. */
export const endpointLabels = ["measured", "modelled"] as const;

const endpointUrl = z
  .url({ protocol: /^https?$/, error: "The address must begin with https:// or http://." })
  .max(500)
  .refine((address) => {
    const { username, password, pathname, search, hash } = new URL(address);
    return username === "" && password === "" && pathname === "/" && search === "" && hash === "";
  }, "The address must be only a protocol, a host and a port, such as https://s3.us-west-004.backblazeb2.com.");

/** Bucket names of S3 and of Google, which may contain underscores, and container names of Azure. */
const bucketName = z
  .string()
  .trim()
  .regex(
    /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/,
    'A bucket\'s name has 3 to 63 lower-case letters, digits, "-", "_" and ".".',
  );

const keyPrefix = z
  .string()
  .trim()
  .max(200, "A prefix can have at most 200 characters.")
  .regex(/^[A-Za-z0-9!_.*'()/-]*$/, "A prefix can contain only letters, digits and !_.*'()/-.")
  .refine((prefix) => !prefix.startsWith("/"), "A prefix must not begin with a slash.")
  .default("");

const price = (what: string) =>
  z
    .number(`${what}: enter a number.`)
    .min(0, `${what} is not negative.`)
    .max(1_000_000, `${what} is too large.`);

/** Prices in US dollars, with the day of the look-up because providers change them. */
export const priceListSchema = z.object({
  perThousandPuts: price("The price of 1,000 PUTs"),
  perThousandGets: price("The price of 1,000 GETs"),
  perGbEgress: price("The price of a GB of egress"),
  perGbMonth: price("The price of a GB stored for a month"),
  /** Minimum storage time that is charged for an object that is deleted earlier. */
  minimumStorageDays: z.int().min(0).max(3650).default(0),
  asOf: z.iso.date("Enter the day of the price list as 2026-01-31."),
});
export type PriceList = z.infer<typeof priceListSchema>;

const endpointFields = {
  name: nameSchema(),
  kind: z.enum(storeKinds),
  url: endpointUrl,
  region: z
    .string()
    .trim()
    .min(1, "Enter a region.")
    .max(60, "A region can have at most 60 characters.")
    .regex(/^[a-z0-9-]+$/i, "A region can contain only letters, digits and dashes."),
  bucket: bucketName,
  prefix: keyPrefix,
  addressing: z.enum(endpointAddressings).default("path"),
  /** Certificates (PEM) of the authority that signed the endpoint's; empty for a public authority. */
  caPem: z
    .string()
    .max(100_000)
    .refine(
      (pem) => pem === "" || /-----BEGIN CERTIFICATE-----/.test(pem),
      "Enter certificates in PEM format.",
    )
    .default(""),
  priceList: priceListSchema.nullable().default(null),
};

/** Location of an endpoint, without its credentials. */
export const endpointPlaceSchema = z.object(endpointFields);

export const createEndpointInput = z
  .object({ ...endpointFields, credentials: endpointCredentialsSchema })
  .superRefine(({ kind, credentials }, context) => {
    const problem = credentialsProblem(kind, credentials);
    if (problem !== null)
      context.addIssue({ code: "custom", path: ["credentials", problem.field], message: problem.message });
  });
export const endpointIdInput = z.object({ endpointId: z.uuid("There is no such endpoint.") });
export const updateEndpointInput = endpointIdInput.extend(endpointFields);
export const rotateEndpointCredentialsInput = endpointIdInput.extend({
  credentials: endpointCredentialsSchema,
});
/** The user types the name to confirm the endpoint. */
export const deleteEndpointInput = endpointIdInput.extend({ name: z.string().max(100) });

/** Capability that an endpoint has or lacks, with the evidence. */
export interface EndpointFinding {
  /** For example "unsigned-payload", "if-none-match", "versioning" or "checksum-crc32c". */
  capability: string;
  isSupported: boolean | null;
  evidence: string;
}

/** Result of a connection test. */
export interface EndpointCheck {
  checkedAt: Date;
  /** True if the endpoint answered, even with a refusal. */
  isReachable: boolean;
  /** A failure is explained in one sentence. */
  sentence: string;
  /** Empty if benchmarks cannot use the endpoint. */
  findings: EndpointFinding[];
}

export interface EndpointRow {
  id: string;
  name: string;
  kind: StoreKind;
  url: string;
  region: string;
  bucket: string;
  prefix: string;
  addressing: EndpointAddressing;
  caPem: string;
  priceList: PriceList | null;
  /** Null for viewers. */
  accessKeyId: string | null;
  /** Last four characters of the secret key; null for viewers, and if they would reveal too much. */
  secretHint: string | null;
  /** Created by the product itself for the vault beside it. */
  isBuiltIn: boolean;
  label: (typeof endpointLabels)[number];
  lastCheck: EndpointCheck | null;
  /** Last successful measurement by a benchmark, which counts as a test. */
  lastMeasuredAt: Date | null;
  /** Number of schedules that upload to it. */
  planCount: number;
  createdAt: Date;
  updatedAt: Date;
}
