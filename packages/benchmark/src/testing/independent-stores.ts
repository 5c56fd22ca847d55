/** Independent object stores, each with an empty bucket and credentials that it accepts. */
import type { EndpointCredentials, StoreKind } from "@stashlight/contracts/endpoint";
import { S3Client } from "@stashlight/s3/client";
import { createBlobPreparer } from "../drivers/azure-blob/prepare-request.ts";
import { openDriver } from "../drivers/open.ts";
import { Asker } from "../endpoint/asker.ts";
import type { EndpointTarget } from "../endpoint/target.ts";
import { toUploadBody } from "../run/bodies.ts";
import { startAzurite, startFakeGcsServer, startVersityGateway } from "./independent-servers.ts";
import { TEST_CREDENTIALS, testTarget } from "./test-job.ts";
import { startTokenServer } from "./token-server.ts";

export interface IndependentStore {
  readonly kind: StoreKind;
  readonly url: string;
  readonly bucket: string;
  readonly credentials: EndpointCredentials;
  close(): Promise<void>;
}

const bucket = "bench";

/** Closes the store on failure, because without its bucket it is useless and its process would remain. */
async function closeOnFailure(close: () => Promise<void>, prepare: () => Promise<unknown>): Promise<void> {
  try {
    await prepare();
  } catch (error) {
    await close();
    throw error;
  }
}

export async function openVersityStore(command: string, signal?: AbortSignal): Promise<IndependentStore> {
  const { url, close } = await startVersityGateway(command, signal);
  const accessKey = { id: TEST_CREDENTIALS.accessKeyId, secret: TEST_CREDENTIALS.secretAccessKey };
  const client = new S3Client({ endpoint: url, region: "us-east-1", accessKey });
  await closeOnFailure(close, () => client.createBucket(bucket));
  client.close();
  return { kind: "s3-compatible", url, bucket, credentials: TEST_CREDENTIALS, close };
}

/** Account in azurite's documentation, with its published key. */
export const azuriteAccount = {
  accessKeyId: "devstoreaccount1",
  secretAccessKey: "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
};

export async function openAzuriteStore(command: string, signal?: AbortSignal): Promise<IndependentStore> {
  const { url, close } = await startAzurite(command, signal);
  const target = testTarget(url, { kind: "azure-blob" });
  await closeOnFailure(close, () => createContainer(target, azuriteAccount));
  return { kind: "azure-blob", url, bucket, credentials: azuriteAccount, close };
}

async function createContainer(target: EndpointTarget, credentials: EndpointCredentials): Promise<void> {
  const prepare = createBlobPreparer(target, credentials, Date.now);
  const driver = openDriver(target, credentials, Date.now);
  const { signal } = new AbortController();
  const asker = new Asker({ target, driver, timeoutMs: 10_000, signal });
  const nothing = toUploadBody(Buffer.alloc(0));
  const created = await asker.ask(() =>
    prepare({ method: "PUT", query: { restype: "container" }, body: nothing }),
  );
  asker.close();
  if (created.status !== 201) throw new Error(`The container was not created: status ${created.status}.`);
}

/** Its tokens come from a server of the tests, which keeps the assertions that it exchanged. */
export async function openFakeGcsStore(
  command: string,
  signal?: AbortSignal,
): Promise<IndependentStore & { readonly tokens: Awaited<ReturnType<typeof startTokenServer>> }> {
  const server = await startFakeGcsServer(command, signal);
  const tokens = await startTokenServer();
  const close = async (): Promise<void> => {
    await server.close();
    await tokens.close();
  };
  await closeOnFailure(close, async () => {
    const { ok, status } = await fetch(`${server.url}/storage/v1/b?project=tests`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: bucket }),
    });
    if (!ok) throw new Error(`The bucket was not created: status ${status}.`);
  });
  return { kind: "gcs", url: server.url, bucket, credentials: tokens.credentials, tokens, close };
}
