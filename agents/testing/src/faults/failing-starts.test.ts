/** Agents start, and a replaced drive is rebuilt, while calls on drives fail: nothing is taken for absent or empty. */
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { reportedFailed } from "../harness/drive-faults.ts";
import { learnt, readEpoch, tell, withDrive } from "../harness/epochs.ts";
import { NO_FINDINGS } from "../harness/faults/audit.ts";
import { Drill, drillClient, drillVault } from "../harness/faults/drill.ts";
import { driveAddresses, type FaultMode, useFileFaults } from "../harness/faults/file-faults.ts";
import { until } from "../harness/until.ts";
import { useVault } from "../harness/use-vault.ts";

const REBUILT_WITHIN_MS = 120_000;
const faults = useFileFaults("starts on drives that cannot be read");

describe.skipIf(faults === null)("starts on drives that fail", () => {
  const used = useVault(
    {
      ...drillVault,
      scheme: { dataShardCount: 4, parityShardCount: 2 },
      podNodeCount: 2,
      stashNodeCount: 6,
      env: faults?.env ?? {},
    },
    drillClient,
  );
  let drill: Drill;

  beforeAll(async () => {
    if (faults === null) return;
    drill = await Drill.create({ vault: used.vault, s3: used.s3, faults });
    drill.startClients();
    await drill.loads[0]?.progress(40);
    await drill.stopClients();
  });
  afterEach(() => faults?.clear());

  const pods = () => driveAddresses(used.vault, "pod");
  const all = () => [...pods(), ...driveAddresses(used.vault, "stash")];

  test.each<[string, readonly FaultMode[], () => string[]]>([
    ["one pod cannot be read", ["read"], () => pods().slice(0, 1)],
    ["as many pods as uploads can spare cannot be read", ["read"], () => pods().slice(2, 4)],
    ["no drive can be read", ["read"], all],
    ["no drive can be opened", ["open"], all],
    ["no drive can be written", ["write", "sync"], all],
  ])(
    "all agents start while %s: the drives are failed, and all is there afterwards",
    async (_, modes, addresses) => {
      await used.vault.kill();
      drill.strike(modes, addresses());
      used.vault.start(used.vault.nodeIds);
      await drill.struck(addresses().length);
      if (!modes.includes("write"))
        for (const address of addresses()) expect(await reportedFailed(used.vault, address)).not.toBe("");
      drill.kept.startReading();
      faults?.clear();
      await drill.well();
      await drill.kept.stopReading();
      expect(drill.complaints).toEqual([]);
      expect(await drill.audit()).toEqual(NO_FINDINGS);
    },
  );

  test("agents start while the segments of all drives cannot be read and their volumes can: none is taken for empty", async () => {
    await used.vault.kill();
    drill.strike(["read"], all(), "segment-");
    used.vault.start(used.vault.nodeIds);
    await drill.struck(all().length);
    for (const address of all()) expect(await reportedFailed(used.vault, address)).not.toBe("");
    faults?.clear();
    await drill.well();
    expect(await drill.audit()).toEqual(NO_FINDINGS);
  });

  test("a replaced drive is rebuilt although reads of another pod fail meanwhile, and no shard is given up", async () => {
    const { vault } = used;
    mkdirSync(join(vault.folder, "new"));
    const next = withDrive(readEpoch(vault), "p0", randomBytes(16).toString("hex"), "new");
    drill.strike(["read"], ["p1", "p2"]);
    expect(await tell(vault, "coordinator-1", next)).toMatchObject({ status: 200 });
    await learnt(vault, next.epoch);
    await drill.struck(1);
    faults?.clear();
    await drill.well();
    const look = async () => (await vault.drives("pod")).find(({ address }) => address === "p0")?.missing;
    await until("p0 is rebuilt", async () => (await look())?.shardCount === 0, REBUILT_WITHIN_MS, look);
    expect(await drill.audit()).toEqual(NO_FINDINGS);
    await drill.restart("SIGTERM");
    await drill.well();
    expect(await drill.audit()).toEqual(NO_FINDINGS);
  });
});
