/** The stash's processes stall: uploads wait for late devices, but not indefinitely. */
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { beforeAll, expect, test } from "vitest";
import { uploadPath } from "../harness/upload-path.ts";
import { useVault } from "../harness/use-vault.ts";
import { until } from "../harness/wait-until.ts";

const used = useVault();
const bucket = "stalled";

beforeAll(async () => {
  await used.s3.send(new CreateBucketCommand({ Bucket: bucket }));
  await until("uploads take the stash", async () => (await upload("first")) === "stash", 20_000);
});

const upload = (key: string) => uploadPath(used.vault, { bucket, key, body: Buffer.from(key) });

async function openRequestCount(): Promise<number> {
  const [id = ""] = used.vault.nodeIdsOf("coordinator");
  return (await used.vault.health(id))?.openRequestCount ?? 0;
}

const stashNodes = () => used.vault.nodeIdsOf("stash");

test("all uploads during a short stall wait for it and use the stash", async () => {
  const { vault } = used;
  vault.pause(stashNodes());
  const uploads = Promise.all(Array.from({ length: 5 }, (_, i) => upload(`during/${i}`)));
  await until("the vault works on all of them", async () => (await openRequestCount()) === 5, 1000);
  vault.resume(stashNodes());
  expect(await uploads).toEqual(Array(5).fill("stash"));
  expect(await upload("after")).toBe("stash");
});

test("an upload uses the direct path when a stall exceeds its budget, and the stash again afterwards", async () => {
  const { vault } = used;
  vault.pause(stashNodes());
  expect(await upload("hung/first")).toBe("direct");
  expect(await upload("hung/second")).toBe("direct");
  vault.resume(stashNodes());
  const paths: (string | null)[] = [];
  const isBack = async () => {
    paths.push(await upload(`back/${paths.length}`));
    return paths.at(-1) === "stash";
  };
  await until("uploads take the stash again", isBack, 10_000, () => paths);
});
