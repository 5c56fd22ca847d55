import type { EndpointCheck, EndpointFinding, EndpointRow } from "@stashlight/contracts/endpoint";
import type { Status } from "@stashlight/ui";

export const isUsable = (check: EndpointCheck) => check.findings.length > 0;

type Tested = Pick<EndpointRow, "lastCheck" | "lastMeasuredAt">;

interface EndpointTest {
  readonly isUsable: boolean;
  readonly testedAt: Date;
  readonly sentence: string;
}

/** The newest test of an endpoint: a connection test, or a successful benchmark. */
export function newestTest({ lastCheck, lastMeasuredAt }: Tested): EndpointTest | null {
  if (lastMeasuredAt !== null && (lastCheck === null || lastCheck.checkedAt < lastMeasuredAt)) {
    return { isUsable: true, testedAt: lastMeasuredAt, sentence: "A benchmark has measured it." };
  }
  if (lastCheck === null) return null;
  const { checkedAt, sentence } = lastCheck;
  return { isUsable: isUsable(lastCheck), testedAt: checkedAt, sentence };
}

export function endpointState(endpoint: Tested): { label: string; status: Status } {
  const test = newestTest(endpoint);
  if (test === null) return { label: "Not tested yet", status: "unknown" };
  return test.isUsable ? { label: "Usable", status: "good" } : { label: "Not usable", status: "bad" };
}

/** A missing feature is reported without counting as a failure, because benchmarks never use it. */
export function findingState({ isSupported }: Pick<EndpointFinding, "isSupported">): {
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

export function capabilityLabel(capability: string): string {
  const algorithm = /^checksum-(\w+)$/.exec(capability)?.[1];
  if (algorithm !== undefined) return `${algorithm.toUpperCase()} check`;
  return capabilityWords[capability] ?? capability;
}
