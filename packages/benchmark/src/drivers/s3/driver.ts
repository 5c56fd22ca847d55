/** Driver for stores that speak S3. */

import type { EndpointCredentials } from "@stashlight/contracts/endpoint";
import type { Driver } from "../../endpoint/driver.ts";
import type { EndpointTarget } from "../../endpoint/target.ts";
import { contentOfS3 } from "./content.ts";
import { failureOfS3 } from "./failure.ts";
import { listBelow } from "./list-below.ts";
import { createPreparer } from "./prepare-request.ts";

export function createS3Driver(
  target: EndpointTarget,
  credentials: EndpointCredentials,
  nowMs: () => number,
): Driver {
  const prepare = createPreparer(target, credentials, nowMs);
  return {
    put: (key, body) => prepare({ method: "PUT", key, body }),
    get: (key) => prepare({ method: "GET", key }),
    head: (key) => prepare({ method: "HEAD", key }),
    delete: ({ key, versionId }) =>
      prepare({ method: "DELETE", key, ...(versionId === null ? {} : { query: { versionId } }) }),
    describe: () => prepare({ method: "GET", query: { versioning: "" } }),
    list: (prefix, countMax) =>
      prepare({ method: "GET", query: { "list-type": "2", "max-keys": String(countMax), prefix } }),
    listBelow: (prefix, insist) =>
      listBelow(prefix, (query) => insist(() => prepare({ method: "GET", query, keepsBody: true }))),
    contentOf: contentOfS3,
    failureOf: (exchange) => failureOfS3(exchange, nowMs()),
    renew: async () => {},
  };
}
