/** Sets the wall clock of every agent an hour ahead and back under load: later writes must remain later. */
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { describe, expect, test } from "vitest";
import { readBody } from "../harness/client.ts";
import { NO_FINDINGS } from "../harness/faults/audit.ts";
import { useFileFaults } from "../harness/faults/file-faults.ts";
import { useDrill } from "../harness/faults/use-drill.ts";
import { isUnavailable, retryWhileUnavailable } from "../harness/retry-requests.ts";

const HOUR_MS = 3_600_000;
/** An hour, plus the time of requests and starts on a slow machine. */
const LATEST_MS = HOUR_MS + 600_000;
const faults = useFileFaults("a vault whose wall clock is set");

describe.skipIf(faults === null)("after the wall clock is set", () => {
  const used = useDrill(faults);
  const object = { Bucket: "small", Key: "others/clock" };
  let serial = 0;

  const waitFor = <Value>(what: string, look: () => Promise<Value>) =>
    retryWhileUnavailable(what, look, { isPassing: isUnavailable });

  /** Each overwrite must be what the next read returns, with a date not older than the previous one. */
  async function overwrite(count: number): Promise<void> {
    for (let i = 0; i < count; i += 1) {
      const Body = `body ${++serial}`;
      await waitFor("the upload is taken", () => used.s3.send(new PutObjectCommand({ ...object, Body })));
      const got = await waitFor("it is read", () => used.s3.send(new GetObjectCommand(object)));
      expect((await readBody(got.value.Body)).toString()).toBe(Body);
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
  ])("%s, reads return the latest upload, and nothing is lost", async (_, aheadMs) => {
    used.drill.startClients();
    try {
      await overwrite(5);
      faults?.stepClock(aheadMs);
      await overwrite(10);
      await used.drill.loads[0]?.progress(20);
    } finally {
      await used.drill.stopClients();
    }
    expect(used.drill.complaints).toEqual([]);
    expect(await used.drill.audit()).toEqual(NO_FINDINGS);
  });

  test("an hour back before they start, agents return the latest uploads and accept later ones", async () => {
    faults?.stepClock(HOUR_MS);
    await used.drill.restart("SIGKILL");
    await used.drill.well();
    await overwrite(5);
    faults?.stepClock(-HOUR_MS);
    await used.drill.restart("SIGKILL");
    await used.drill.well();
    const got = await waitFor("it is read", () => used.s3.send(new GetObjectCommand(object)));
    expect((await readBody(got.value.Body)).toString()).toBe(`body ${serial}`);
    await overwrite(5);
    faults?.stepClock(0);
    await overwrite(1);
    expect(await used.drill.audit()).toEqual(NO_FINDINGS);
  });
});
