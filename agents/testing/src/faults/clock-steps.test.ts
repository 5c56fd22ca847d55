/** The wall clock of every agent is set an hour ahead and back under load: later writes stay later. */
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, test } from "vitest";
import { bytesOf } from "../harness/client.ts";
import { NO_FINDINGS } from "../harness/faults/audit.ts";
import { Drill, drillClient, drillVault } from "../harness/faults/drill.ts";
import { useFileFaults } from "../harness/faults/file-faults.ts";
import { isUnavailable, patiently } from "../harness/patience.ts";
import { useVault } from "../harness/use-vault.ts";

const HOUR_MS = 3_600_000;
/** An hour, and the time that requests and starts take on a slow machine. */
const LATEST_MS = HOUR_MS + 600_000;
const faults = useFileFaults("a vault whose wall clock is set");

describe.skipIf(faults === null)("a wall clock that is set", () => {
  const used = useVault({ ...drillVault, env: faults?.env ?? {} }, drillClient);
  const object = { Bucket: "small", Key: "others/clock" };
  let drill: Drill;
  let serial = 0;

  beforeAll(async () => {
    if (faults !== null) drill = await Drill.create({ vault: used.vault, s3: used.s3, faults });
  });

  const waitFor = <Value>(what: string, look: () => Promise<Value>) =>
    patiently(what, look, { isPassing: isUnavailable });

  /** Every overwrite is what the next read shows, and its date is not older than that of the one before. */
  async function overwrite(count: number): Promise<void> {
    for (let i = 0; i < count; i += 1) {
      const Body = `body ${++serial}`;
      await waitFor("the upload is taken", () => used.s3.send(new PutObjectCommand({ ...object, Body })));
      const got = await waitFor("it is read", () => used.s3.send(new GetObjectCommand(object)));
      expect((await bytesOf(got.value.Body)).toString()).toBe(Body);
      const modifiedMs = got.value.LastModified?.getTime() ?? 0;
      expect(Math.abs(modifiedMs - Date.now())).toBeLessThan(LATEST_MS);
      const head = await waitFor("it has a head", () => used.s3.send(new HeadObjectCommand(object)));
      expect(head.value.LastModified?.getTime()).toBe(modifiedMs);
    }
  }

  test.each([
    ["an hour ahead", HOUR_MS],
    ["back to the true time", 0],
    ["an hour back", -HOUR_MS],
    ["ahead to the true time", 0],
  ])("while it is set %s, reads show the latest upload, and nothing is lost", async (_, aheadMs) => {
    drill.startClients();
    try {
      await overwrite(5);
      faults?.stepClock(aheadMs);
      await overwrite(10);
      await drill.loads[0]?.progress(20);
    } finally {
      await drill.stopClients();
    }
    expect(drill.complaints).toEqual([]);
    expect(await drill.audit()).toEqual(NO_FINDINGS);
  });

  test("agents that start an hour back show the latest uploads, and take later ones", async () => {
    faults?.stepClock(HOUR_MS);
    await drill.restart("SIGKILL");
    await drill.well();
    await overwrite(5);
    faults?.stepClock(-HOUR_MS);
    await drill.restart("SIGKILL");
    await drill.well();
    const got = await waitFor("it is read", () => used.s3.send(new GetObjectCommand(object)));
    expect((await bytesOf(got.value.Body)).toString()).toBe(`body ${serial}`);
    await overwrite(5);
    faults?.stepClock(0);
    await overwrite(1);
    expect(await drill.audit()).toEqual(NO_FINDINGS);
  });
});
