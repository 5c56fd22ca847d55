/**
 * Agents start, and a replaced drive is rebuilt, while calls on drives fail: nothing may be considered absent or empty.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { reportedFailed } from "../harness/drive-faults.ts";
import { postEpoch, readEpoch, waitForEpoch, withDrive } from "../harness/epochs.ts";
import { NO_FINDINGS } from "../harness/faults/audit.ts";
import { driveAddresses, type FaultMode, useFileFaults } from "../harness/faults/file-faults.ts";
import { sixPods, useDrill } from "../harness/faults/use-drill.ts";
import { until } from "../harness/wait-until.ts";

const REBUILT_WITHIN_MS = 120_000;
const faults = useFileFaults("starts on drives that cannot be read");

describe.skipIf(faults === null)("during starts on failing drives,", () => {
  const used = useDrill(faults, sixPods);

  beforeAll(async () => {
    used.drill.startClients();
    await used.drill.loads[0]?.progress(40);
    await used.drill.stopClients();
  });

  const pods = () => driveAddresses(used.vault, "pod");
  const all = () => [...pods(), ...driveAddresses(used.vault, "stash")];

  test.each<[string, readonly FaultMode[], () => string[]]>([
    ["one pod cannot be read", ["read"], () => pods().slice(0, 1)],
    ["as many pods as uploads can spare cannot be read", ["read"], () => pods().slice(2, 4)],
    ["no drive can be read", ["read"], all],
    ["no drive can be opened", ["open"], all],
    ["no drive can be written", ["write", "sync"], all],
  ])(
    "all agents start while %s: the drives are reported failed, and everything is readable afterwards",
    async (_, modes, addresses) => {
      await used.vault.kill();
      used.drill.strike(modes, addresses());
      used.vault.start(used.vault.nodeIds);
      await used.drill.struck(addresses().length);
      if (!modes.includes("write"))
        for (const address of addresses()) expect(await reportedFailed(used.vault, address)).not.toBe("");
      used.drill.kept.startReading();
      faults?.clear();
      await used.drill.well();
      await used.drill.kept.stopReading();
      expect(used.drill.complaints).toEqual([]);
      expect(await used.drill.audit()).toEqual(NO_FINDINGS);
    },
  );

  test("agents start while the segments of all drives are unreadable but their volumes are not: no drive is considered empty", async () => {
    await used.vault.kill();
    used.drill.strike(["read"], all(), "segment-");
    used.vault.start(used.vault.nodeIds);
    await used.drill.struck(all().length);
    for (const address of all()) expect(await reportedFailed(used.vault, address)).not.toBe("");
    faults?.clear();
    await used.drill.well();
    expect(await used.drill.audit()).toEqual(NO_FINDINGS);
  });

  test("a replaced drive is rebuilt although reads of another pod fail, and no shard is given up", async () => {
    const { vault } = used;
    mkdirSync(join(vault.folder, "new"));
    const next = withDrive(readEpoch(vault), "p0", randomBytes(16).toString("hex"), "new");
    used.drill.strike(["read"], ["p1", "p2"]);
    expect(await postEpoch(vault, "coordinator-1", next)).toMatchObject({ status: 200 });
    await waitForEpoch(vault, next.epoch);
    await used.drill.struck(1);
    faults?.clear();
    await used.drill.well();
    const look = async () => (await vault.drives("pod")).find(({ address }) => address === "p0")?.missing;
    await until("p0 is rebuilt", async () => (await look())?.shardCount === 0, REBUILT_WITHIN_MS, look);
    expect(await used.drill.audit()).toEqual(NO_FINDINGS);
    await used.drill.restart("SIGTERM");
    await used.drill.well();
    expect(await used.drill.audit()).toEqual(NO_FINDINGS);
  });
});
