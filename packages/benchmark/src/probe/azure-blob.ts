/** Part of the connection test for Azure Blob Storage alone. */
import type { EndpointFinding } from "@stashlight/contracts/endpoint";
import { createBlobPreparer } from "../drivers/azure-blob/prepare-request.ts";
import { describeAnswer, finding, type ProbeContext } from "./finding.ts";

export async function findingsOfAzureBlob(context: ProbeContext): Promise<EndpointFinding[]> {
  const { asker, target, credentials, runPrefix, body } = context;
  const prepare = createBlobPreparer(target, credentials, Date.now);
  const blob = `${runPrefix}plain`;
  const headers = {
    "x-ms-blob-type": "BlockBlob",
    "content-type": "application/octet-stream",
    "if-none-match": "*",
  };
  const again = await asker.ask(() => prepare({ method: "PUT", blob, body, headers }));
  const container = await asker.ask((driver) => driver.describe());
  return [
    finding(
      "if-none-match",
      again.status === 409 || again.status === 412,
      `Put Blob of a blob that exists, with If-None-Match: *: ${describeAnswer(again)}.`,
    ),
    ...(container.failure === null ? [deletionFinding(container.headers)] : []),
  ];
}

/** A legal hold or a policy prevents a run's objects from being deleted. */
function deletionFinding(headers: ReadonlyMap<string, string>): EndpointFinding {
  const isHeld =
    headers.get("x-ms-has-legal-hold") === "true" || headers.get("x-ms-has-immutability-policy") === "true";
  return finding(
    "no-immutability",
    !isHeld,
    isHeld
      ? "The container has a legal hold or an immutability policy: what benchmarks write stays there and is charged."
      : "The container has no legal hold and no immutability policy.",
  );
}
