import { expect, test } from "vitest";
import {
  grownPodVolume,
  newVault,
  ShapeRefused,
  schemeNames,
  vaultCapacityBytes,
  vaultShape,
} from "./vault-size.ts";

test.each(schemeNames)("a vault of the scheme %s takes nearly all of its size, and no more", (scheme) => {
  for (const sizeBytes of [4e9, 20e9, 137e9, 2e12, 15e12]) {
    const geometry = newVault({ scheme, sizeBytes });
    const bytes = vaultCapacityBytes(vaultShape(geometry));
    expect(bytes).toBeLessThanOrEqual(sizeBytes);
    expect(sizeBytes - bytes).toBeLessThan(20 * geometry.podVolume.segmentBytes);
    expect(geometry.podVolume.segmentCount).toBeLessThanOrEqual(1024);
  }
});

test("the same size again changes nothing, and every vault can grow to twice its size", () => {
  for (const sizeBytes of [3e9, 20e9, 200e9, 1e12]) {
    const { podVolume, ...geometry } = newVault({ sizeBytes });
    const present = vaultShape({ ...geometry, podVolume });
    expect(grownPodVolume(present, { sizeBytes })).toEqual(podVolume);
    expect(grownPodVolume(present, {})).toEqual(podVolume);
    const grown = grownPodVolume(present, { sizeBytes: 2 * sizeBytes });
    expect(grown.segmentBytes).toBe(podVolume.segmentBytes);
    expect(grown.segmentCount).toBeGreaterThan(podVolume.segmentCount);
  }
});

test.each([0, 1e9, 1e15])("a vault of %d bytes is refused with the possible sizes", (sizeBytes) => {
  expect(() => newVault({ sizeBytes })).toThrow(ShapeRefused);
  expect(() => newVault({ sizeBytes })).toThrow(/must be from 2.8GB to [\d.]+TB; got /);
});
