import { CreateBucketCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { useVault } from "../harness/use-vault.ts";

const used = useVault({ processes: "one a node" });

/** Distinct buckets of the traced uploads. */
async function tracedBuckets(): Promise<string[]> {
  const [coordinator = ""] = used.vault.nodeIdsOf("coordinator");
  const text = (await used.vault.askAdmin(coordinator, "/traces"))?.text ?? "";
  return [...new Set([...text.matchAll(/"bucket":"([^"]*)"/g)].map(([, bucket = ""]) => bucket))].sort();
}

test("uploads are traced in the client's bucket, in pieces or whole, and the vault's own records are not", async () => {
  const { s3 } = used;
  for (const Bucket of ["small", "large"]) await s3.send(new CreateBucketCommand({ Bucket }));
  expect(await tracedBuckets()).toEqual([]);
  await s3.send(new PutObjectCommand({ Bucket: "small", Key: "whole", Body: Buffer.alloc(20_000) }));
  await s3.send(new PutObjectCommand({ Bucket: "large", Key: "in pieces", Body: Buffer.alloc(12_000_000) }));
  expect(await tracedBuckets()).toEqual(["large", "small"]);
});
