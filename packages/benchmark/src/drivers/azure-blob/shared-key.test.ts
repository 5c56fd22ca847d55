/** Signs requests of the vendor's own SDK again: both signatures must be identical. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { BlobServiceClient, StorageSharedKeyCredential } from "@azure/storage-blob";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signSharedKey } from "./shared-key.ts";

const account = "benchaccount";
const accountKey = Buffer.alloc(64, 7);

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const received: Received[] = [];
const server = createServer((request, response) => {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, `${value}`]),
  );
  received.push({ method: request.method ?? "", url: request.url ?? "", headers });
  request.resume();
  request.on("end", () => response.writeHead(request.method === "PUT" ? 201 : 200).end());
});

let client: BlobServiceClient;
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${account}`;
  const credential = new StorageSharedKeyCredential(account, accountKey.toString("base64"));
  client = new BlobServiceClient(url, credential, { retryOptions: { maxTries: 1 } });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

const blobOf = (name: string) => client.getContainerClient("bench").getBlockBlobClient(name);

test.each<[string, () => Promise<unknown>]>([
  ["an upload", () => blobOf("a/plain").upload("a body", 6)],
  ["an upload of nothing", () => blobOf("empty").upload("", 0)],
  [
    "an upload with an MD5, a type and conditions",
    () =>
      blobOf("ü €/+&=?#%20").upload("a body", 6, {
        blobHTTPHeaders: { blobContentType: "text/plain", blobContentMD5: new Uint8Array(16) },
        conditions: { ifNoneMatch: "*" },
        metadata: { madeBy: "a test" },
      }),
  ],
  ["a range", () => blobOf("a/plain").download(3, 5)],
  ["properties", () => blobOf("~'()*!").getProperties()],
  ["a deletion of a version", () => blobOf("v").withVersion("2026-01-31T00:00:00.0000000Z").delete()],
  [
    "a list",
    () =>
      client
        .getContainerClient("bench")
        .listBlobsFlat({ prefix: "a b/ü", includeVersions: true })
        .byPage()
        .next(),
  ],
])("%s is signed as the SDK signs it", async (_, ask) => {
  received.length = 0;
  await ask().catch(() => {});
  expect(received.length).toBeGreaterThan(0);
  for (const { method, url, headers } of received) {
    const { pathname, searchParams } = new URL(url, "http://127.0.0.1");
    const path = url.split("?")[0] ?? "";
    expect(pathname).toBe(path);
    const query = Object.fromEntries(searchParams);
    expect(signSharedKey({ method, account, path, query, headers }, accountKey)).toBe(headers.authorization);
  }
});
