/**
 * The system fails calls on drives' files for a while, as a resetting adapter or an unreachable network drive would.
 * The drives' content is unchanged after the fault, so nothing may be lost.
 */
import { GetObjectCommand } from "@aws-sdk/client-s3";
import { describe, expect, test } from "vitest";
import { reportedFailed } from "../harness/drive-faults.ts";
import { NO_FINDINGS } from "../harness/faults/audit.ts";
import { driveAddresses, type FaultMode, useFileFaults } from "../harness/faults/file-faults.ts";
import { sixPods, useDrill } from "../harness/faults/use-drill.ts";

const faults = useFileFaults("a vault whose drives fail in the system's calls");

describe.skipIf(faults === null)("calls on files that fail:", () => {
  const used = useDrill(faults, sixPods);
  const pods = () => driveAddresses(used.vault, "pod");
  const stash = () => driveAddresses(used.vault, "stash");

  /** Clients must see the same after the fault as before it. */
  async function expectNothingLost(): Promise<void> {
    await used.drill.well();
    expect(await used.drill.audit()).toEqual(NO_FINDINGS);
    expect(used.drill.complaints).toEqual([]);
  }

  test("a read through an agent is refused during the fault, and answered after it", async () => {
    const [object] = used.drill.kept.objects;
    const get = () => used.s3.send(new GetObjectCommand({ Bucket: object?.bucket, Key: object?.key }));
    await used.vault.drained();
    used.drill.strike(["read"], pods());
    const refused = get();
    await used.drill.struck(1);
    await expect(refused).rejects.toMatchObject({ $metadata: { httpStatusCode: 503 } });
    faults?.clear();
    await expectNothingLost();
  });

  test.each<[string, readonly FaultMode[], () => string[], boolean]>([
    ["reads of one pod's drive", ["read"], () => pods().slice(0, 1), true],
    ["reads of as many pods as uploads can spare", ["read"], () => pods().slice(1, 3), true],
    ["reads of all pods", ["read"], pods, false],
    ["reads of all drives", ["read"], () => [...pods(), ...stash()], false],
    ["writes of one pod's drive", ["write"], () => pods().slice(0, 1), true],
    ["writes of all stash devices", ["write"], stash, true],
    ["writes of all drives", ["write"], () => [...pods(), ...stash()], false],
    ["syncs of as many pods as uploads can spare", ["sync"], () => pods().slice(1, 3), false],
    ["syncs of all stash devices", ["sync"], stash, true],
    ["syncs and then opens of all pods", ["sync", "open"], pods, false],
    ["all calls on all drives", ["read", "write", "sync", "open"], () => [...pods(), ...stash()], false],
  ])("nothing is lost while %s fail", async (_, modes, addresses, isReported) => {
    used.drill.startClients();
    await used.drill.loads[0]?.progress(20);
    used.drill.strike(modes, addresses());
    await used.drill.struck(5);
    if (isReported)
      for (const address of addresses()) expect(await reportedFailed(used.vault, address)).not.toBe("");
    faults?.clear();
    await used.drill.served();
    await used.drill.stopClients();
    await expectNothingLost();
  });

  test("everything acknowledged is readable after all agents restart", async () => {
    await used.drill.restart("SIGKILL");
    await expectNothingLost();
  });
});
