/** Finds out which checksums an endpoint checks: it has to accept a correct one and refuse a wrong one. */
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { EndpointFinding } from "@stashlight/contracts/endpoint";
import type { PrepareRequest } from "../../drivers/s3/prepare-request.ts";
import { describeAnswer, finding, type ProbeContext } from "../finding.ts";

/** CRC-32C (Castagnoli), bit by bit: it is computed over a thousand bytes, twice per connection test. */
function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function toBase64(value: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes.toString("base64");
}

const digest = (algorithm: string, bytes: Uint8Array) => createHash(algorithm).update(bytes).digest("base64");

const checksums: readonly {
  readonly name: string;
  readonly header: string;
  readonly of: (bytes: Uint8Array) => string;
}[] = [
  { name: "content-md5", header: "content-md5", of: (bytes) => digest("md5", bytes) },
  { name: "checksum-crc32", header: "x-amz-checksum-crc32", of: (bytes) => toBase64(crc32(bytes)) },
  { name: "checksum-crc32c", header: "x-amz-checksum-crc32c", of: (bytes) => toBase64(crc32c(bytes)) },
  { name: "checksum-sha1", header: "x-amz-checksum-sha1", of: (bytes) => digest("sha1", bytes) },
  { name: "checksum-sha256", header: "x-amz-checksum-sha256", of: (bytes) => digest("sha256", bytes) },
];

export async function checksumFindings(
  { asker, runPrefix, body }: ProbeContext,
  prepare: PrepareRequest,
): Promise<EndpointFinding[]> {
  const findings: EndpointFinding[] = [];
  for (const { name, header, of } of checksums) {
    const key = `${runPrefix}${name}`;
    const right = await asker.ask(() =>
      prepare({ method: "PUT", key, headers: { [header]: of(body.bytes) }, body }),
    );
    if (right.failure !== null) {
      findings.push(finding(name, false, `PUT with ${header}: ${describeAnswer(right)}.`));
      continue;
    }
    const another = of(body.bytes.subarray(1));
    const wrong = await asker.ask(() =>
      prepare({ method: "PUT", key, headers: { [header]: another }, body }),
    );
    const isChecked = wrong.status !== null && wrong.status >= 400 && wrong.status <= 499;
    const evidence = `PUT with ${header}: right ${describeAnswer(right)}, wrong ${describeAnswer(wrong)}${isChecked ? "" : ", so it is not checked"}.`;
    findings.push(finding(name, isChecked, evidence));
  }
  return findings;
}
