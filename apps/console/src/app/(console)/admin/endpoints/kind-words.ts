/** Apart from the presets, which only dialogs need. */
import type { StoreKind } from "@stashlight/contracts/endpoint";

export const kindWords: Record<StoreKind, string> = {
  b2: "Backblaze B2",
  s3: "Amazon S3",
  r2: "Cloudflare R2",
  wasabi: "Wasabi",
  "s3-compatible": "Other S3 store",
  vault: "Stashlight vault",
  gcs: "Google Cloud Storage",
  "azure-blob": "Azure Blob Storage",
};
