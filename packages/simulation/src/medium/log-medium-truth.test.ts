import { keyOfShard } from "@stashlight/shard-store";
import { beforeEach, expect, test } from "vitest";
import { makeShard } from "../testing/medium-bench.ts";
import { LogTruth } from "./log-medium-truth.ts";

const shard = makeShard(1);
const key = keyOfShard(shard);

let told: string[] = [];
let onMedia: number | null = null;
let truth: LogTruth;

beforeEach(() => {
  told = [];
  onMedia = null;
  truth = new LogTruth({
    durable: () => told.push("durable"),
    killed: (_uploadId, _shardIndex, wasDurable) => told.push(`killed ${wasDurable}`),
    retracted: () => told.push("retracted"),
    lost: () => told.push("lost"),
    lied: () => told.push("lied"),
    syncFailed: () => told.push("sync failed"),
    remembered: () => {},
    violated: (property) => told.push(property),
  });
  truth.image = { lsnOf: () => onMedia };
});

function lands(lsn: number | null): void {
  onMedia = lsn;
  truth.judge(key);
}

test("an unsupported claim is a false acknowledgement, or the drive's fault if its syncs are false", () => {
  const append = truth.appended(key, shard);
  truth.claimed(key, append);
  expect(told).toEqual(["S4"]);
  truth.isSuspect = true;
  truth.claimed(key, append);
  expect(told).toEqual(["S4", "lied"]);
});

test("a claim about an append does not cover a later append", () => {
  const first = truth.appended(key, shard);
  truth.killed(key, 2);
  truth.appended(key, shard);
  truth.claimed(key, first);
  expect(told).toEqual(["killed false"]);
});

test("a record that disappears while its node holds it is a violation, unless media damage explains it", () => {
  const append = truth.appended(key, shard);
  lands(1);
  truth.claimed(key, append);
  lands(null);
  expect(told).toEqual(["durable", "S3", "lost"]);
  lands(1);
  truth.claimed(key, append);
  truth.isSuspect = true;
  lands(null);
  expect(told.slice(3)).toEqual(["durable", "lost"]);
});

test("a record that was durable by chance may disappear before the log calls it durable, but not afterwards", () => {
  const append = truth.appended(key, shard);
  lands(1);
  lands(null);
  expect(told).toEqual(["durable", "retracted"]);
  truth.claimed(key, append);
  expect(told.splice(0)).toEqual(["durable", "retracted", "S4"]);
  lands(1);
  truth.recovered([key]);
  lands(null);
  expect(told).toEqual(["durable", "S3", "lost"]);
});

test("a record that its node dropped may be overwritten", () => {
  truth.appended(key, shard);
  lands(1);
  truth.killed(key, 2);
  lands(null);
  expect(told).toEqual(["durable", "killed true"]);
});

test("only a copy later than the kill counts as stored", () => {
  truth.appended(key, shard);
  lands(1);
  truth.killed(key, 2);
  truth.appended(key, shard);
  lands(1);
  expect(told).toEqual(["durable", "killed true"]);
  lands(2);
  expect(told).toEqual(["durable", "killed true", "durable"]);
});

test("a recovery that misses a durable record is a violation", () => {
  truth.appended(key, shard);
  lands(1);
  truth.recovered([]);
  expect(told).toEqual(["durable", "S3", "lost"]);
});

test("a recovery that finds a record not on the medium is a violation", () => {
  truth.appended(key, shard);
  lands(1);
  truth.killed(key, 2);
  onMedia = null;
  truth.recovered([key]);
  expect(told).toEqual(["durable", "killed true", "S7"]);
});

test("a recovery that finds a record that was never written is a violation", () => {
  truth.recovered([key]);
  expect(told).toEqual(["S5"]);
});
