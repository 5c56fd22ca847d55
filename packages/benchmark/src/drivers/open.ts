/** All drivers, chosen by the endpoint's kind. */

import type { EndpointCredentials, StoreKind } from "@stashlight/contracts/endpoint";
import type { Driver } from "../endpoint/driver.ts";
import type { EndpointTarget } from "../endpoint/target.ts";
import { createAzureBlobDriver } from "./azure-blob/driver.ts";
import { createGcsDriver } from "./gcs/driver.ts";
import { createS3Driver } from "./s3/driver.ts";

type CreateDriver = (target: EndpointTarget, credentials: EndpointCredentials, nowMs: () => number) => Driver;

const drivers: Record<StoreKind, CreateDriver> = {
  b2: createS3Driver,
  s3: createS3Driver,
  r2: createS3Driver,
  wasabi: createS3Driver,
  "s3-compatible": createS3Driver,
  vault: createS3Driver,
  gcs: createGcsDriver,
  "azure-blob": createAzureBlobDriver,
};

/** `nowMs` is milliseconds since 1970, used as the time of signatures. */
export const openDriver: CreateDriver = (target, credentials, nowMs) =>
  drivers[target.kind](target, credentials, nowMs);
