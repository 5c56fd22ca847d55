/**
 * Endpoints: the object stores that benchmarks upload to. The secret key goes in and is never given out again; its
 * last characters tell which one it is.
 */
import { z } from "zod";
import { credentialsProblem, endpointCredentialsSchema } from "./credentials.ts";
import { type StoreKind, storeKinds } from "./endpoint-kind.ts";

export const endpointAddressings = ["path", "host"] as const;
export type EndpointAddressing = (typeof endpointAddressings)[number];
/** Modelled where the drives behind it are; every figure measured on it says so. */
export const endpointLabels = ["measured", "modelled"] as const;

const text = (what: string, max: number) =>
  z.string().trim().min(1, `${what} is missing.`).max(max, `${what} has at most ${max} characters.`);

const endpointUrl = z
  .url({ protocol: /^https?$/, error: "The address begins with https:// or http://." })
  .max(500)
  .refine((address) => {
    const { username, password, pathname, search, hash } = new URL(address);
    return username === "" && password === "" && pathname === "/" && search === "" && hash === "";
  }, "The address is only a protocol, a host and a port, such as https://s3.us-west-004.backblazeb2.com.");

/** S3's names of buckets, Google's, which may have underscores, and Azure's names of containers. */
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
  .max(200, "A prefix has at most 200 characters.")
  .regex(/^[A-Za-z0-9!_.*'()/-]*$/, "A prefix has letters, digits and !_.*'()/- only.")
  .refine((prefix) => !prefix.startsWith("/"), "A prefix does not begin with a slash.")
  .default("");

const price = (what: string) =>
  z
    .number(`${what}: write a number.`)
    .min(0, `${what} is not negative.`)
    .max(1_000_000, `${what} is too large.`);

/** In US dollars. What a provider charges changes, so the day it was looked up stands beside it. */
export const priceListSchema = z.object({
  perThousandPuts: price("The price of 1,000 PUTs"),
  perThousandGets: price("The price of 1,000 GETs"),
  perGbEgress: price("The price of a GB of egress"),
  perGbMonth: price("The price of a GB stored for a month"),
  /** Deleted earlier, an object is charged for this long. */
  minimumStorageDays: z.int().min(0).max(3650).default(0),
  asOf: z.iso.date("Write the day of the price list as 2026-01-31."),
});
export type PriceList = z.infer<typeof priceListSchema>;

const endpointFields = {
  name: text("The name", 100),
  kind: z.enum(storeKinds),
  url: endpointUrl,
  region: text("The region", 60).regex(/^[a-z0-9-]+$/i, "A region has letters, digits and dashes."),
  bucket: bucketName,
  prefix: keyPrefix,
  addressing: z.enum(endpointAddressings).default("path"),
  /** Certificates (PEM) that sign the endpoint's own, where it is not a public authority's. */
  caPem: z
    .string()
    .max(100_000)
    .refine((pem) => pem === "" || /-----BEGIN CERTIFICATE-----/.test(pem), "Write certificates in PEM form.")
    .default(""),
  priceList: priceListSchema.nullable().default(null),
};

/** Where an endpoint is, without what proves who asks. */
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
/** The name is typed by the person, so that it is the endpoint they mean. */
export const deleteEndpointInput = endpointIdInput.extend({ name: z.string().max(100) });

/** One thing that an endpoint does or does not do, and how that was seen. */
export interface EndpointFinding {
  /** For example "unsigned-payload", "if-none-match", "versioning" or "checksum-crc32c". */
  capability: string;
  isSupported: boolean | null;
  evidence: string;
}

/** What a connection test saw. */
export interface EndpointCheck {
  checkedAt: Date;
  /** It answered, although perhaps with a refusal. */
  isReachable: boolean;
  /** A failure is explained in one. */
  sentence: string;
  /** Empty where benchmarks cannot use the endpoint. */
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
  /** The last four characters of the secret key; null for viewers, and where they would be too much of it. */
  secretHint: string | null;
  /** Made by the product itself for the vault beside it. */
  isBuiltIn: boolean;
  label: (typeof endpointLabels)[number];
  lastCheck: EndpointCheck | null;
  /** When a benchmark last measured it with success, which tests it as well. */
  lastMeasuredAt: Date | null;
  /** Schedules that upload to it. */
  planCount: number;
  createdAt: Date;
  updatedAt: Date;
}
