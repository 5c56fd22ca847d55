import type { EndpointCheck, EndpointFinding, EndpointRow } from "@stashlight/contracts";
import type { Status } from "@stashlight/ui";

export const isUsable = (check: EndpointCheck) => check.findings.length > 0;

export function standingOfEndpoint({ lastCheck }: Pick<EndpointRow, "lastCheck">): {
  label: string;
  status: Status;
} {
  if (lastCheck === null) return { label: "Not tested yet", status: "unknown" };
  return isUsable(lastCheck)
    ? { label: "Can be used", status: "good" }
    : { label: "Cannot be used", status: "bad" };
}

/** Benchmarks use what is not supported nowhere, so a lack is told and no failure. */
export function standingOfFinding({ isSupported }: Pick<EndpointFinding, "isSupported">): {
  label: string;
  status: Status;
} {
  if (isSupported === null) return { label: "not known", status: "unknown" };
  return isSupported ? { label: "yes", status: "good" } : { label: "no", status: "info" };
}

const capabilityWords: Record<string, string> = {
  "keep-alive": "Keeps connections",
  clock: "Clocks agree",
  "etag-md5": "ETag is the MD5",
  read: "Reads back",
  "unsigned-payload": "Unsigned payload",
  "if-none-match": "If-None-Match",
  versioning: "Versioning",
  "list-versions": "Lists versions",
  "content-md5": "Checks Content-MD5",
  "expect-continue": "Answers Expect",
  delete: "Deletes",
};

export function capabilityInWords(capability: string): string {
  const algorithm = /^checksum-(\w+)$/.exec(capability)?.[1];
  if (algorithm !== undefined) return `Checks ${algorithm.toUpperCase()}`;
  return capabilityWords[capability] ?? capability;
}
