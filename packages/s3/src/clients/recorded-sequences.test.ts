/**
 * Replays the requests of tools that are in no package registry, in the order of their documentation. Each row is a
 * request, the status that the tool expects, and text in the answer.
 */
import { describe, expect, test } from "vitest";
import { useEdge } from "../testing/use-edge.ts";
import { type ExchangeOptions, exchange, wireTime } from "../testing/wire.ts";
import { CAPACITY_KEY, SYSTEM_KEY } from "../veeam/system-objects.ts";

interface Step {
  readonly request: readonly [method: string, url: string];
  readonly status: number;
  /** Expected text in the body; for an answer without a body, a header as "name: value". */
  readonly has?: string;
  readonly options?: ExchangeOptions;
}
const findSpace = () => ({ capacityBytes: 1000, availableBytes: 400 });
const edge = await useEdge({ nowMs: () => wireTime.nowMs, findSpace });
edge.store.addBucket("backup");

async function follow(steps: readonly Step[]): Promise<void> {
  for (const { request, status, has = "", options = {} } of steps) {
    const [method, url] = request;
    const answer = await exchange(edge, method, url, options);
    expect([method, url, answer.status, answer.body]).toEqual([
      method,
      url,
      status,
      expect.stringContaining(has),
    ]);
  }
}

const onlyIfNew = (body: string): ExchangeOptions => ({ body, headers: { "if-none-match": "*" } });

const PUT_OPTIONS: ExchangeOptions = { body: "block" };

const DELETE_TWO =
  "<Delete><Object><Key>Veeam/a.blk</Key></Object><Object><Key>Veeam/none.blk</Key></Object></Delete>";

describe("the endpoint serves", () => {
  test("Veeam's documented minimum for a repository without immutability", async () => {
    await follow([
      { request: ["GET", "/"], status: 200, has: "<Name>backup</Name>" },
      { request: ["GET", "/backup?location"], status: 200, has: "LocationConstraint" },
      { request: ["GET", "/backup?versioning"], status: 200, has: "VersioningConfiguration" },
      { request: ["GET", "/backup?object-lock"], status: 404, has: "ObjectLockConfigurationNotFoundError" },
      { request: ["GET", "/backup?lifecycle"], status: 404, has: "NoSuchLifecycleConfiguration" },
      { request: ["GET", "/backup?acl"], status: 200, has: "FULL_CONTROL" },
      { request: ["GET", `/backup/${SYSTEM_KEY}`], status: 200, has: "<CapacityInfo>true</CapacityInfo>" },
      { request: ["GET", `/backup/${CAPACITY_KEY}`], status: 200, has: "<Available>400</Available>" },
      {
        request: ["GET", "/backup?list-type=2&prefix=Veeam%2F&delimiter=%2F"],
        status: 200,
        has: "<KeyCount>0<",
      },
      { request: ["PUT", "/backup/Veeam/a.blk"], status: 200, options: PUT_OPTIONS },
      { request: ["GET", "/backup/Veeam/a.blk"], status: 200, has: "block" },
      {
        request: ["GET", "/backup?versions&prefix=Veeam%2F"],
        status: 200,
        has: "<VersionId>null</VersionId>",
      },
      { request: ["POST", "/backup?delete"], status: 200, has: "none.blk", options: { body: DELETE_TWO } },
      { request: ["GET", "/backup/Veeam/a.blk"], status: 404, has: "NoSuchKey" },
    ]);
  });

  test("Velero's plugin for AWS, which sends an empty x-amz-tagging", async () => {
    const tagged: ExchangeOptions = { body: "{}", headers: { "x-amz-tagging": "" } };
    await follow([
      {
        request: ["GET", "/backup?list-type=2&prefix=velero%2F&delimiter=%2F"],
        status: 200,
        has: "<KeyCount>0<",
      },
      { request: ["PUT", "/backup/velero/backups/b1/velero-backup.json"], status: 200, options: tagged },
      {
        request: ["GET", "/backup?list-type=2&prefix=velero%2Fbackups%2F&delimiter=%2F"],
        status: 200,
        has: "<CommonPrefixes><Prefix>velero/backups/b1/</Prefix></CommonPrefixes>",
      },
      { request: ["GET", "/backup/velero/backups/b1/velero-backup.json"], status: 200, has: "{}" },
      { request: ["DELETE", "/backup/velero/backups/b1/velero-backup.json"], status: 204 },
      { request: ["GET", "/backup/velero/backups/b1/velero-backup.json"], status: 404, has: "NoSuchKey" },
    ]);
  });

  test("Terraform's refresh of an aws_s3_bucket", async () => {
    const questions: readonly (readonly [subresource: string, status: number, has: string])[] = [
      ["policy", 404, "NoSuchBucketPolicy"],
      ["acl", 200, "FULL_CONTROL"],
      ["cors", 404, "NoSuchCORSConfiguration"],
      ["website", 404, "NoSuchWebsiteConfiguration"],
      ["versioning", 200, "VersioningConfiguration"],
      ["accelerate", 200, "AccelerateConfiguration"],
      ["requestPayment", 200, "<Payer>BucketOwner</Payer>"],
      ["logging", 200, "BucketLoggingStatus"],
      ["lifecycle", 404, "NoSuchLifecycleConfiguration"],
      ["replication", 404, "ReplicationConfigurationNotFoundError"],
      ["object-lock", 404, "ObjectLockConfigurationNotFoundError"],
      ["tagging", 404, "NoSuchTagSet"],
      ["ownershipControls", 404, "OwnershipControlsNotFoundError"],
      ["publicAccessBlock", 404, "NoSuchPublicAccessBlockConfiguration"],
      ["location", 200, "LocationConstraint"],
    ];
    await follow(
      questions.map(([subresource, status, has]) => ({
        request: ["GET", `/backup?${subresource}`],
        status,
        has,
      })),
    );
  });

  test("Terraform's state in S3 with use_lockfile, where a second run does not get the lock", async () => {
    const lock = "/backup/env/terraform.tfstate.tflock";
    await follow([
      { request: ["GET", "/backup/env/terraform.tfstate"], status: 404, has: "NoSuchKey" },
      { request: ["PUT", lock], status: 200, options: onlyIfNew('{"ID":"first"}') },
      {
        request: ["PUT", lock],
        status: 412,
        has: "PreconditionFailed",
        options: onlyIfNew('{"ID":"second"}'),
      },
      { request: ["GET", lock], status: 200, has: "first" },
      { request: ["PUT", "/backup/env/terraform.tfstate"], status: 200, options: { body: '{"serial":1}' } },
      { request: ["DELETE", lock], status: 204 },
      { request: ["PUT", lock], status: 200, options: onlyIfNew('{"ID":"second"}') },
      { request: ["DELETE", lock], status: 204 },
    ]);
  });

  test("Proxmox Backup Server, which uploads a chunk once and writes its marker only if it is new", async () => {
    const chunk = "/backup/store/.chunks/00ab/00ab12";
    const deleted = "<Delete><Object><Key>store/.chunks/00ab/00ab12</Key></Object></Delete>";
    await follow([
      { request: ["PUT", "/backup/store/.in-use"], status: 200, options: onlyIfNew("{}") },
      {
        request: ["PUT", "/backup/store/.in-use"],
        status: 412,
        has: "PreconditionFailed",
        options: onlyIfNew("{}"),
      },
      { request: ["PUT", chunk], status: 200, options: onlyIfNew("chunk") },
      { request: ["PUT", chunk], status: 412, has: "PreconditionFailed", options: onlyIfNew("chunk") },
      { request: ["GET", chunk], status: 200, has: "chunk" },
      { request: ["GET", "/backup?list-type=2&prefix=store%2F.chunks%2F"], status: 200, has: "<KeyCount>1<" },
      { request: ["POST", "/backup?delete"], status: 200, has: "<Deleted>", options: { body: deleted } },
      { request: ["GET", chunk], status: 404, has: "NoSuchKey" },
    ]);
  });
});
