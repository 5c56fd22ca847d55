import type { AdmissionRequest } from "@stashlight/s3";
import { expect, test } from "vitest";
import { VaultError } from "../vault/errors.ts";
import { refuseWithoutSpace } from "./free-space.ts";

const request: AdmissionRequest = {
  requestId: "request-1",
  operation: "PutObject",
  accessKeyId: "key",
  bucket: "photos",
  key: "cat",
  bodyBytes: 1000,
};

function vaultThat(checkRoom: () => Promise<boolean>) {
  const asked: unknown[][] = [];
  const vault = {
    freeBytes: 640,
    checkRoom: (...names: unknown[]) => {
      asked.push(names);
      return checkRoom();
    },
  };
  return { vault, asked };
}

test("a full vault refuses an upload and reports its free bytes", async () => {
  const { vault, asked } = vaultThat(() => Promise.reject(new VaultError("full")));
  const refusal = { code: "InsufficientStorage", headers: { "x-stashlight-free-bytes": "640" } };
  await expect(refuseWithoutSpace(vault, request)).rejects.toMatchObject(refusal);
  expect(asked).toEqual([["photos", "cat", 1000]]);
});

test("an upload is answered SlowDown while pods free space", async () => {
  const { vault } = vaultThat(() => Promise.reject(new VaultError("unavailable")));
  const refusal = { code: "SlowDown", headers: { "retry-after": "5" } };
  await expect(refuseWithoutSpace(vault, request)).rejects.toMatchObject(refusal);
});

test.each(["GetObject", "ListObjectsV2", "DeleteObject", "DeleteObjects", "AbortMultipartUpload"] as const)(
  "%s is allowed in a full vault",
  async (operation) => {
    const { vault, asked } = vaultThat(() => Promise.reject(new VaultError("full")));
    await expect(refuseWithoutSpace(vault, { ...request, operation })).resolves.toBeUndefined();
    expect(asked).toEqual([]);
  },
);

test("an upload that fits is allowed", async () => {
  const { vault } = vaultThat(async () => true);
  await expect(refuseWithoutSpace(vault, { ...request, operation: "UploadPart" })).resolves.toBeUndefined();
});
