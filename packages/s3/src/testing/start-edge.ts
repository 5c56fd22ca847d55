/** Starts an S3 edge over the memory store, listening on loopback. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { S3Limits } from "../limits.ts";
import type { Admit, ObservedRequest } from "../server/options.ts";
import { createS3Server } from "../server/server.ts";
import { type AccessKey, DEFAULT_OWNER } from "../signature/access-key.ts";
import type { ObjectStore } from "../store.ts";
import type { FindSpace } from "../veeam/system-objects.ts";
import { createMemoryStore, type MemoryStore } from "./memory-store.ts";

const usual = { owner: DEFAULT_OWNER, permission: "write", buckets: "all", isDisabled: false } as const;

export const testKeys = {
  writer: { ...usual, id: "WRITERWRITERWRITER00", secret: "writer/secret+0000000" },
  reader: { ...usual, id: "READERREADERREADER00", secret: "reader/secret+0000000", permission: "read" },
  limited: { ...usual, id: "LIMITEDLIMITED000000", secret: "limited/secret+000000", buckets: ["mine"] },
  stranger: { ...usual, id: "STRANGERSTRANGER0000", secret: "stranger/secret+00000", owner: "stranger" },
  disabled: { ...usual, id: "DISABLEDDISABLED0000", secret: "disabled/secret+00000", isDisabled: true },
} as const satisfies Record<string, AccessKey>;

export interface TestEdge {
  readonly url: string;
  readonly port: number;
  readonly store: MemoryStore;
  readonly requests: readonly ObservedRequest[];
  readonly closedConnectionCount: number;
  close(): Promise<void>;
}

export interface TestEdgeOptions {
  readonly limits?: Partial<S3Limits>;
  readonly region?: string;
  readonly baseDomains?: readonly string[];
  readonly hostNames?: readonly string[];
  readonly nowMs?: () => number;
  readonly keys?: readonly AccessKey[];
  /** Methods that replace the store's own. */
  readonly overrides?: Partial<ObjectStore>;
  readonly admit?: Admit;
  readonly findSpace?: FindSpace;
}

export async function startEdge(options: TestEdgeOptions = {}): Promise<TestEdge> {
  const { nowMs = Date.now, keys = Object.values(testKeys), limits } = options;
  const smallUploadBytesMax = limits?.smallUploadBytesMax;
  const store = createMemoryStore({ nowMs, ...(smallUploadBytesMax && { smallUploadBytesMax }) });
  const requests: ObservedRequest[] = [];
  let requestCount = 0;
  const edge = createS3Server({
    store: { ...store, ...options.overrides },
    findAccessKey: (id) => keys.find((key) => key.id === id) ?? null,
    region: options.region ?? "us-east-1",
    baseDomains: options.baseDomains ?? [],
    hostNames: options.hostNames ?? [],
    limits: limits ?? {},
    nowMs,
    ...(options.admit && { admit: options.admit }),
    ...(options.findSpace && { findSpace: options.findSpace }),
    newRequestId: () => `TEST${++requestCount}`,
    observe: (request) => requests.push(request),
  });
  const server = createServer(edge.httpOptions);
  edge.attachTo(server);
  let closedConnectionCount = 0;
  server.on("connection", (socket) => {
    socket.once("close", () => {
      closedConnectionCount += 1;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    store,
    requests,
    get closedConnectionCount() {
      return closedConnectionCount;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
