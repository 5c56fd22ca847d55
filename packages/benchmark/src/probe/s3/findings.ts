/** Part of the connection test for stores that speak S3. */
import type { EndpointFinding } from "@stashlight/contracts/endpoint";
import { createPreparer, type PrepareRequest } from "../../drivers/s3/prepare-request.ts";
import { describeAnswer, finding, type ProbeContext } from "../finding.ts";
import { checksumFindings } from "./checksums.ts";
import { findExpectContinue } from "./expect-continue.ts";

export async function findingsOfS3(context: ProbeContext): Promise<EndpointFinding[]> {
  const prepare = createPreparer(context.target, context.credentials, Date.now);
  return [
    await unsignedPayloadFinding(context),
    await ifNoneMatchFinding(context, prepare),
    ...(await versioningFindings(context, prepare)),
    ...(await checksumFindings(context, prepare)),
    await findExpectContinue(context, prepare),
  ];
}

async function unsignedPayloadFinding(context: ProbeContext): Promise<EndpointFinding> {
  const { target, credentials, asker, runPrefix, body } = context;
  const prepare = createPreparer({ ...target, payloadSigning: "unsigned" }, credentials, Date.now);
  const answer = await asker.ask(() => prepare({ method: "PUT", key: `${runPrefix}unsigned`, body }));
  return finding(
    "unsigned-payload",
    answer.failure === null,
    `PUT with UNSIGNED-PAYLOAD: ${describeAnswer(answer)}.`,
  );
}

async function ifNoneMatchFinding(
  { asker, runPrefix, body }: ProbeContext,
  prepare: PrepareRequest,
): Promise<EndpointFinding> {
  const key = `${runPrefix}plain`;
  const headers = { "if-none-match": "*" };
  const answer = await asker.ask(() => prepare({ method: "PUT", key, headers, body }));
  const evidence = `PUT of a key that exists, with If-None-Match: *: ${describeAnswer(answer)}${answer.failure === null ? ", so it was overwritten" : ""}.`;
  return finding("if-none-match", answer.status === 412, evidence);
}

const NOT_IMPLEMENTED = 501;

async function versioningFindings(
  { asker, runPrefix }: ProbeContext,
  prepare: PrepareRequest,
): Promise<EndpointFinding[]> {
  const configuration = await asker.ask((driver) => driver.describe());
  const status = /<Status>(Enabled|Suspended)<\/Status>/.exec(configuration.text)?.[1];
  // A store that does not implement versioning keeps no versions: that is a finding, not a missing answer.
  const isLeftOut = configuration.status === NOT_IMPLEMENTED;
  const isEnabled = configuration.failure === null ? status === "Enabled" : isLeftOut ? false : null;
  const evidence =
    configuration.failure === null
      ? `The bucket's versioning is ${status?.toLowerCase() ?? "not configured"}.`
      : isLeftOut
        ? "The store does not implement versioning (501 NotImplemented)."
        : `GET ?versioning: ${describeAnswer(configuration)}.`;
  const versions = await asker.ask(() =>
    prepare({ method: "GET", query: { versions: "", prefix: runPrefix } }),
  );
  return [
    finding("versioning", isEnabled, evidence),
    finding("list-versions", versions.failure === null, `GET ?versions: ${describeAnswer(versions)}.`),
  ];
}
