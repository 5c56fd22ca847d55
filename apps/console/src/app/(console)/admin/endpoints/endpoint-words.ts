import type { EndpointCheck, EndpointFinding, EndpointRow } from "@stashlight/contracts/benchmark/endpoint";
import type { Status } from "@stashlight/ui";

export const isUsable = (check: EndpointCheck) => check.findings.length > 0;

export function standingOfEndpoint({ lastCheck }: Pick<EndpointRow, "lastCheck">): {
  label: string;
  status: Status;
} {
  if (lastCheck === null) return { label: "Not tested yet", status: "unknown" };
  return isUsable(lastCheck) ? { label: "Usable", status: "good" } : { label: "Not usable", status: "bad" };
}

/** Benchmarks use what is not supported nowhere, so a lack is told and no failure. */
export function standingOfFinding({ isSupported }: Pick<EndpointFinding, "isSupported">): {
  label: string;
  status: Status;
} {
  if (isSupported === null) return { label: "unknown", status: "unknown" };
  return isSupported ? { label: "yes", status: "good" } : { label: "no", status: "info" };
}

const capabilityWords: Record<string, string> = {
  "keep-alive": "Persistent connections",
  clock: "Clock in sync",
  "etag-md5": "MD5 in answers",
  read: "Read back",
  "unsigned-payload": "Unsigned payload",
  "if-none-match": "If-None-Match",
  versioning: "Versioning",
  "list-versions": "Version listing",
  "content-md5": "Content-MD5 check",
  "expect-continue": "Expect: 100-continue",
  "no-immutability": "Deletion allowed",
  "no-soft-delete": "Deletion at once",
  "bucket-settings": "Bucket settings",
  delete: "Delete",
};

export function capabilityInWords(capability: string): string {
  const algorithm = /^checksum-(\w+)$/.exec(capability)?.[1];
  if (algorithm !== undefined) return `${algorithm.toUpperCase()} check`;
  return capabilityWords[capability] ?? capability;
}
