import { measurableDriveSchema } from "@stashlight/contracts/disk";
import {
  type EndpointCheck,
  endpointAddressings,
  endpointKinds,
  endpointLabels,
  priceListSchema,
  storeKinds,
} from "@stashlight/contracts/endpoint";
import { storedInstant } from "@stashlight/contracts/json";
import { z } from "zod";
import { jsonColumn } from "./json-column.ts";
import { wordColumn } from "./word-column.ts";

const lastCheck: z.ZodType<EndpointCheck> = z.object({
  checkedAt: storedInstant,
  isReachable: z.boolean(),
  sentence: z.string(),
  findings: z.array(
    z.object({ capability: z.string(), isSupported: z.boolean().nullable(), evidence: z.string() }),
  ),
});

export const endpointColumns = {
  kind: wordColumn("endpoint.kind", endpointKinds),
  /** Kind of an endpoint other than a drive. */
  storeKind: wordColumn("endpoint.kind", storeKinds),
  addressing: wordColumn("endpoint.addressing", endpointAddressings),
  label: wordColumn("endpoint.label", endpointLabels),
  drive: jsonColumn("endpoint.drive", measurableDriveSchema),
  priceList: jsonColumn("endpoint.price_list", priceListSchema),
  lastCheck: jsonColumn("endpoint.last_check", lastCheck),
};
