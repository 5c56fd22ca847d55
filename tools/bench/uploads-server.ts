/** The product's S3 edge over TLS with a certificate of a local authority; discards the bodies. */
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { type AccessKey, createS3Server } from "@stashlight/s3";
import { S3Client } from "@stashlight/s3/client";
import { createMemoryStore } from "@stashlight/s3/testing";
import { createAuthority } from "@stashlight/transport/testing";

export interface S3OverTls {
  readonly url: string;
  /** PEM of the authority. */
  readonly ca: string;
  readonly key: AccessKey;
  close(): Promise<void>;
}

/** Starts the edge with an empty bucket "bench". */
export async function startS3OverTls(): Promise<S3OverTls> {
  const key: AccessKey = {
    id: "BENCHBENCHBENCH00000",
    secret: "bench/secret+00000000",
    owner: "stashlight",
    permission: "write",
    buckets: "all",
    isDisabled: false,
  };
  const store = createMemoryStore({ nowMs: Date.now });
  let requestCount = 0;
  const edge = createS3Server({
    store: {
      ...store,
      putObject: async (principal, request) => {
        const result = await store.putObject(principal, request);
        await store.deleteObject(principal, { ...request, precondition: { kind: "none" } });
        return result;
      },
    },
    findAccessKey: (id) => (id === key.id ? key : null),
    region: "us-east-1",
    baseDomains: [],
    limits: {},
    nowMs: Date.now,
    newRequestId: () => `BENCH${++requestCount}`,
    observe: () => {},
  });
  const { ca, cert, key: privateKey } = createAuthority("bench").issue("localhost");
  const server = createServer({ ...edge.httpOptions, cert, key: privateKey });
  edge.attachTo(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  const client = new S3Client({ endpoint: url, region: "us-east-1", accessKey: key, ca });
  await client.createBucket("bench");
  client.close();
  return {
    url,
    ca,
    key,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
