import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { expect, test } from "vitest";
import { ArgumentError } from "../arguments.ts";
import { readDrives, toldDrive } from "./drives.ts";
import { hostLabels } from "./host-labels.ts";

const folder = useTestFolder();

const ofHost = { provider: "aws", region: "eu-central-1", instanceType: "m7i.large" };
function read(value: unknown) {
  const path = join(folder, "drives.json");
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  return readDrives(path, async () => ofHost);
}

test("a drive is offered to plans only with a benchmark entry, whose missing labels come from the host and file system", async () => {
  const [plain, measured, modelled] = await read([
    { node: "stash-1", device: "s0", folder },
    {
      node: "db-1",
      device: "data",
      folder,
      benchmark: { volumeType: "gp3", pricePerMonth: 8, region: "here" },
    },
    {
      node: "db-1",
      device: "slow",
      folder,
      benchmark: { sizeBytes: 5, modelledBucket: { burst: 300, base: 30, tokens: 900 } },
    },
  ]);
  expect(plain && toldDrive(plain)).toEqual({ node: "stash-1", device: "s0", benchmark: null });
  const told = measured && toldDrive(measured);
  expect(told?.benchmark).toMatchObject({
    isModelled: false,
    labels: { ...ofHost, region: "here", volumeType: "gp3", pricePerMonth: 8 },
  });
  expect(told?.benchmark?.labels.sizeBytes).toBeGreaterThan(0);
  expect(told).not.toHaveProperty("place");
  expect(modelled?.benchmark).toMatchObject({ besideVault: false, modelledBucket: { burst: 300 } });
  expect(modelled && toldDrive(modelled).benchmark).toMatchObject({
    isModelled: true,
    labels: { sizeBytes: 5 },
  });
});

test.each([
  ["{", /is not valid JSON\.$/],
  [
    [{ node: "a", device: "s0", folder: "/no/such/folder" }],
    /the folder of s0, \/no\/such\/folder, is not a folder\.$/,
  ],
  [
    [{ node: "a", device: "s0", folder: "/tmp", benchmark: { provider: "" } }],
    /0\.benchmark\.provider: The provider is empty/,
  ],
  [[{ node: "a", device: "s0", folder: "/tmp", benchmark: { color: 1 } }], /Unrecognized key: "color"/],
  [
    [
      {
        node: "a",
        device: "s0",
        folder: "/tmp",
        benchmark: { modelledBucket: { burst: 1, base: 2, tokens: 3 } },
      },
    ],
    /The rate of a burst must be above the base rate\.$/,
  ],
  [
    [
      { node: "a", device: "s0", folder: "/tmp" },
      { node: "a", device: "s0", folder: "/var" },
    ],
    /A node's drive may be in the file only once$/,
  ],
  [[{ node: "a", device: "s0" }], /A drive has either a folder or a rawDevice$/],
  [
    [{ node: "a", device: "s0", folder: "/tmp", rawDevice: "/dev/null", benchmark: {} }],
    /A drive has either a folder or a rawDevice$/,
  ],
  [[{ node: "a", device: "s0", rawDevice: "/dev/null" }], /Only plans can measure a raw device/],
  [[{ node: "a", device: "s0", rawDevice: "/srv/x", benchmark: {} }], /A raw device is a path below \/dev$/],
  [
    [{ node: "a", device: "s0", rawDevice: "/dev/null", benchmark: {} }],
    /the raw device of s0, \/dev\/null, is not a block device\.$/,
  ],
])("the file %j is refused: %s", async (value, message) => {
  await expect(read(value)).rejects.toThrow(ArgumentError);
  await expect(read(value)).rejects.toThrow(message);
});

test("cloud-init's files on the machine provide its provider, region and type", async () => {
  const path = join(folder, "instance-data.json");
  const readLabels = (value: unknown) => {
    writeFileSync(path, JSON.stringify(value));
    return hostLabels(path);
  };
  expect(
    await readLabels({
      v1: { cloud_name: "aws", region: "us-east-1" },
      ds: { meta_data: { "instance-type": "m5.large" } },
    }),
  ).toEqual({ provider: "aws", region: "us-east-1", instanceType: "m5.large" });
  expect(
    await readLabels({
      v1: { cloud_name: "gce", region: "us-east1" },
      ds: { meta_data: { machine_type: "projects/1/machineTypes/e2-medium" } },
    }),
  ).toEqual({ provider: "gce", region: "us-east1", instanceType: "e2-medium" });
  const nothing = { provider: null, region: null, instanceType: null };
  expect(await readLabels({ v1: { cloud_name: 7, region: null } })).toEqual(nothing);
  expect(await readLabels("nonsense")).toEqual(nothing);
  expect(await hostLabels(join(folder, "missing"))).toEqual(nothing);
});
