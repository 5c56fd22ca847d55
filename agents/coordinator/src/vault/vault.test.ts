import type { Switchboard } from "@stashlight/node-runtime";
import type { VaultConfig } from "@stashlight/write-path";
import { expect, test } from "vitest";
import type { UploadWatch } from "./upload-watch.ts";
import { type UploadGate, Vault } from "./vault.ts";

const config: VaultConfig = {
  epoch: 1,
  scheme: { dataShardCount: 2, parityShardCount: 1 },
  podDriveIds: ["a", "b", "c"],
  stashDevices: [],
  coordinatorCount: 1,
};

test("onTurn is called when an upload's turn comes, and can refuse the upload", async () => {
  const turn = Promise.withResolvers<void>();
  const gate: UploadGate = {
    runUpload: async (_work, run) => {
      await turn.promise;
      return await run();
    },
  };
  const switchboard = { connect: () => {} } as unknown as Switchboard;
  const vault = new Vault({
    address: "c0",
    config,
    switchboard,
    stashedBytesMax: 1,
    isStashEnabled: false,
    watch: {} as UploadWatch,
    gate,
  });
  let askedCount = 0;
  const onTurn = () => {
    askedCount += 1;
    throw new Error("Too late.");
  };
  const object = { bucket: "b", key: "k", bytes: new Uint8Array(1), etag: "", contentType: "", metadata: {} };
  const stored = vault.put(object, { type: "none" }, { requestId: null, onTurn });
  expect(askedCount).toBe(0);
  turn.resolve();
  await expect(stored).rejects.toThrow("Too late.");
  expect(askedCount).toBe(1);
});
