/** Describes refusals by stores that speak S3. */
import { readXml } from "@stashlight/s3/client";
import {
  codeIn,
  type EndpointFailure,
  failureOfStatus,
  instantIn,
  regionIn,
} from "../../endpoint/failure.ts";
import type { Exchange } from "../../wire/connection.ts";

/** HEAD has no document with an error code. */
const CODE_OF_STATUS: Readonly<Record<number, string>> = {
  403: "AccessDenied",
  404: "NotFound",
  412: "PreconditionFailed",
  429: "SlowDown",
  503: "SlowDown",
};

/** `nowMs` is UTC. */
export function failureOfS3(exchange: Exchange, nowMs: number): EndpointFailure | null {
  return failureOfStatus(exchange, nowMs, ({ status, headers, body }) => {
    const document = parseErrorBody(body);
    return {
      code: codeIn(document.code) ?? CODE_OF_STATUS[status],
      region: regionIn(document.region) ?? regionIn(headers.get("x-amz-bucket-region")),
      serverMs: instantIn(document.serverTime),
    };
  });
}

interface ErrorDocument {
  readonly code?: string | undefined;
  readonly region?: string | undefined;
  readonly serverTime?: string | undefined;
}

function parseErrorBody(body: Buffer): ErrorDocument {
  if (body.length === 0) return {};
  try {
    const xml = readXml(body.toString("utf8"), "Error");
    return { code: xml.text("Code"), region: xml.text("Region"), serverTime: xml.text("ServerTime") };
  } catch {
    return {};
  }
}
