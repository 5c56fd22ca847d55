import { readFileSync } from "node:fs";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { beforeEach, expect, test } from "vitest";
import {
  countPorts,
  createLocalVault,
  loadVaultFile,
  readRawVaultFile,
  toVaultEpoch,
  type VaultEpoch,
  writeVaultFile,
} from "../config/index.ts";
import { VaultEpochs } from "./vault-epochs.ts";

const folder = useTestFolder();
const path = join(folder, "vault.json");
let epochs: VaultEpochs;
let dismissed: string[];

beforeEach(() => {
  const volume = { segmentBytes: 1_048_576, segmentCount: 4 };
  const layout = { podNodeCount: 3, stashNodeCount: 3 };
  writeVaultFile(
    path,
    createLocalVault({
      ...layout,
      name: "test",
      scheme: { dataShardCount: 2, parityShardCount: 1 },
      drivesPerStashNode: 1,
      podVolume: volume,
      stashVolume: volume,
      pieceBytes: 1_048_576,
      ports: Array.from({ length: countPorts(layout) }, (_, i) => 20_200 + i),
    }),
  );
  dismissed = [];
  const file = loadVaultFile(path);
  epochs = new VaultEpochs({ path, file, dismissed: (nodeId) => void dismissed.push(nodeId) });
});

const next = (change: Partial<VaultEpoch> = {}): VaultEpoch => {
  const current = toVaultEpoch(readRawVaultFile(path));
  return { ...current, epoch: current.epoch + 1, ...change };
};

function follower(nodeId: string) {
  const adopted: number[] = [];
  return { nodeId, adopted, adopt: ({ epoch }: { readonly epoch: number }) => void adopted.push(epoch) };
}

test("an epoch is stored in the file before the nodes of the process learn of it", () => {
  const written: number[] = [];
  const seen = {
    nodeId: "pod-1",
    adopt: () => void written.push(JSON.parse(readFileSync(path, "utf8")).epoch),
  };
  epochs.follow(seen, epochs.file);
  epochs.take(next());
  expect(written).toEqual([2]);
});

test("a node that was starting when another epoch came adopts it, and one that started with it does not adopt it again", () => {
  const begunWith = epochs.file;
  epochs.take(next());
  const [late, early] = [follower("pod-1"), follower("pod-2")];
  epochs.follow(late, begunWith);
  epochs.follow(early, epochs.file);
  expect([late.adopted, early.adopted]).toEqual([[2], []]);
});

test("a refused epoch changes nothing, whether it is announced as a trial or not", () => {
  const one = follower("pod-1");
  const refuse = () => {
    throw new Error("no");
  };
  epochs.follow({ ...one, check: refuse }, epochs.file);
  expect(() => epochs.take(next())).toThrow("no");
  expect(() => epochs.take(next(), { isTrial: true })).toThrow("no");
  expect([one.adopted, epochs.current.epoch, readRawVaultFile(path).epoch]).toEqual([[], 1, 1]);
});

test("a node that left the vault is dismissed, and the others of its process adopt the epoch", () => {
  const [gone, kept] = [follower("stash-3"), follower("pod-1")];
  for (const each of [gone, kept]) epochs.follow(each, epochs.file);
  const whole = next();
  epochs.take({ ...whole, nodes: whole.nodes.filter(({ id }) => id !== "stash-3") });
  expect([dismissed, gone.adopted, kept.adopted]).toEqual([["stash-3"], [], [2]]);
});
