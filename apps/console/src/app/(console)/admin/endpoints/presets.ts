/** Defaults of an endpoint kind and region: address, addressing and list prices. */
import type { EndpointAddressing, PriceList, StoreKind } from "@stashlight/contracts/endpoint";

interface KindLabels {
  bucket: { label: string };
  accessKeyId: { label: string };
  secretAccessKey: { label: string; help: string };
}

const isSealed = "Stored encrypted and never shown again.";
const s3Labels: KindLabels = {
  bucket: { label: "Bucket" },
  accessKeyId: { label: "Access key ID" },
  secretAccessKey: { label: "Secret access key", help: isSealed },
};

/** Field labels of an endpoint kind. */
export const labelsOfKind: Record<StoreKind, KindLabels> = {
  b2: s3Labels,
  s3: s3Labels,
  r2: s3Labels,
  wasabi: s3Labels,
  "s3-compatible": s3Labels,
  vault: s3Labels,
  gcs: {
    bucket: { label: "Bucket" },
    accessKeyId: { label: "HMAC access ID" },
    secretAccessKey: {
      label: "HMAC secret or key file",
      help: `You can paste the whole key file (JSON) of a service account; the ID is then taken from it. ${isSealed}`,
    },
  },
  "azure-blob": {
    bucket: { label: "Container" },
    accessKeyId: { label: "Storage account" },
    secretAccessKey: {
      label: "Account key or SAS",
      help: `A shared access signature must allow list, read, write and delete. ${isSealed}`,
    },
  },
};

interface KindPreset {
  addressing: EndpointAddressing;
  /** Endpoint address of a region; null where the user has to enter it. */
  urlOf: ((region: string) => string) | null;
  regions: readonly string[];
}

export const kindPresets: Record<StoreKind, KindPreset> = {
  b2: {
    addressing: "path",
    urlOf: (region) => `https://s3.${region}.backblazeb2.com`,
    regions: [
      "us-west-000",
      "us-west-001",
      "us-west-002",
      "us-west-004",
      "us-east-005",
      "ca-east-006",
      "eu-central-003",
    ],
  },
  s3: {
    addressing: "host",
    urlOf: (region) => `https://s3.${region}.amazonaws.com`,
    regions: [
      "us-east-1",
      "us-east-2",
      "us-west-1",
      "us-west-2",
      "ca-central-1",
      "eu-west-1",
      "eu-central-1",
      "eu-north-1",
      "ap-northeast-1",
      "ap-southeast-1",
    ],
  },
  // The address begins with the account id, which only the user knows.
  r2: { addressing: "path", urlOf: null, regions: ["auto"] },
  wasabi: {
    addressing: "path",
    urlOf: (region) => `https://s3.${region}.wasabisys.com`,
    regions: [
      "us-east-1",
      "us-east-2",
      "us-central-1",
      "us-west-1",
      "ca-central-1",
      "eu-central-1",
      "eu-west-1",
    ],
  },
  "s3-compatible": { addressing: "path", urlOf: null, regions: ["us-east-1"] },
  vault: { addressing: "path", urlOf: null, regions: ["us-east-1"] },
  gcs: {
    addressing: "path",
    urlOf: () => "https://storage.googleapis.com",
    regions: [
      "us-east1",
      "us-central1",
      "us-west1",
      "northamerica-northeast1",
      "europe-west1",
      "europe-west4",
    ],
  },
  "azure-blob": {
    addressing: "host",
    urlOf: null,
    regions: ["eastus", "eastus2", "westus2", "canadacentral", "westeurope", "northeurope"],
  },
};

/** Date of these list prices; the form shows it, and users can change both. */
const asOf = "2025-07-01";

const b2Prices: PriceList = {
  perThousandPuts: 0,
  perThousandGets: 0.0004,
  perGbEgress: 0.01,
  perGbMonth: 0.006,
  minimumStorageDays: 0,
  asOf,
};
/** Amazon S3 Standard: 1,000 PUTs, 1,000 GETs, a GB of egress to the Internet, and a GB stored per month. */
const s3Prices: Record<string, readonly [number, number, number, number]> = {
  "us-east-1": [0.005, 0.0004, 0.09, 0.023],
  "us-east-2": [0.005, 0.0004, 0.09, 0.023],
  "us-west-2": [0.005, 0.0004, 0.09, 0.023],
  "us-west-1": [0.0055, 0.00044, 0.09, 0.026],
  "eu-west-1": [0.005, 0.0004, 0.09, 0.023],
  "eu-central-1": [0.0054, 0.00043, 0.09, 0.0245],
};

/** Null where list prices are unknown. */
export function presetPrices(kind: StoreKind, region: string): PriceList | null {
  if (kind === "b2") return b2Prices;
  const prices = kind === "s3" ? s3Prices[region] : undefined;
  if (prices === undefined) return null;
  const [perThousandPuts, perThousandGets, perGbEgress, perGbMonth] = prices;
  return { perThousandPuts, perThousandGets, perGbEgress, perGbMonth, minimumStorageDays: 0, asOf };
}
