/** The stash's processes stall: uploads wait for late devices, but not indefinitely. */
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { beforeAll, expect, test } from "vitest";
import { uploadPath } from "../harness/upload-path.ts";
import { useVault } from "../harness/use-vault.ts";
import { until } from "../harness/wait-until.ts";

const used = useVault();
const bucket = "stalled";
const WITHIN_MS = 120_000;
/** Leaves half of the time for which the coordinator waits for the stash. */
const SHORT_MS = 750;

beforeAll(async () => {
  await used.s3.send(new CreateBucketCommand({ Bucket: bucket }));
  await usesStash("first");
});

const upload = (key: string) => uploadPath(used.vault, { bucket, key, body: Buffer.from(key) });

const usesStash = (key: string) =>
  until("uploads take the stash", async () => (await upload(key)) === "stash", WITHIN_MS);

async function openRequestCount(): Promise<number> {
  const [id = ""] = used.vault.nodeIdsOf("coordinator");
  return (await used.vault.health(id))?.openRequestCount ?? 0;
}

const stashNodes = () => used.vault.nodeIdsOf("stash");

/** Stalls the stash until the vault works on five uploads; returns how long that took, and the paths they took. */
async function stall(round: number): Promise<{ stalledMs: number; paths: (string | null)[] }> {
  const { vault } = used;
  const startedMs = performance.now();
  vault.pause(stashNodes());
  const uploads = Promise.all(Array.from({ length: 5 }, (_, i) => upload(`during-${round}/${i}`)));
  const isBegun = async () => (await openRequestCount()) === 5 || performance.now() > startedMs + SHORT_MS;
  await until("the vault works on all of them", isBegun, WITHIN_MS);
  vault.resume(stashNodes());
  const stalledMs = performance.now() - startedMs;
  return { stalledMs, paths: await uploads };
}

test("all uploads during a short stall wait for it and use the stash", async () => {
  let round = 0;
  const shortStall = await until(
    "a stall is short, although the machine may be slow",
    async () => {
      await usesStash(`before-${round}`);
      const { stalledMs, paths } = await stall(round++);
      return stalledMs < SHORT_MS && paths;
    },
    WITHIN_MS,
  );
  expect(shortStall).toEqual(Array(5).fill("stash"));
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
  await until("uploads take the stash again", isBack, WITHIN_MS, () => paths);
});
