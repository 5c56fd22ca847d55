/**
 * `npm run practice-stores -- FOLDER`: starts third-party object stores on this machine, each with an empty bucket, and
 * writes an endpoint file for each of them into FOLDER. They allow benchmarks to be tried without an account; the
 * figures are those of this machine, not of the providers. Ctrl-C ends the stores and deletes their contents.
 */
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  findServer,
  type IndependentStore,
  openAzuriteStore,
  openFakeGcsStore,
  openVersityStore,
} from "@stashlight/benchmark/testing";
import { openEach } from "./open-each.ts";

const stores = [
  { program: "versitygw", name: "Practice S3", open: openVersityStore },
  { program: "fakeGcsServer", name: "Practice Google Cloud", open: openFakeGcsStore },
  { program: "azurite", name: "Practice Azure", open: openAzuriteStore },
] as const;

async function main([folder, ...more]: readonly string[]): Promise<void> {
  if (folder === undefined || more.length > 0) {
    throw new Error("Give the folder for the endpoint files, such as: npm run practice-stores -- endpoints");
  }
  await mkdir(folder, { recursive: true });
  const ending = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ending.abort());
  const openings = stores.flatMap(({ program, name, open }) => {
    const command = findServer(program);
    return command === null ? [] : [{ name, open: (signal: AbortSignal) => open(command, signal) }];
  });
  if (openings.length === 0) throw new Error("None of the three stores is installed.");
  const opened = await openEach(
    openings,
    {
      onOpened: async (name, store: IndependentStore) => {
        const path = join(folder, `${name.toLowerCase().replaceAll(" ", "-")}.json`);
        await writeEndpoint(path, name, store);
        process.stdout.write(`${describe(name, path, store)}\n\n`);
      },
      onFailed: (name, error) => process.stderr.write(`${name} does not run: ${error.message}\n\n`),
    },
    ending.signal,
  );
  try {
    if (ending.signal.aborted) return;
    if (opened.length === 0) throw new Error("No store has started.");
    process.stdout.write("Press Ctrl-C to end them.\n");
    await once(ending.signal, "abort");
  } finally {
    await Promise.all(opened.map((store) => store.close()));
  }
}

/**
 * Writes a file for `stashlight bench run --endpoint`, and the secret in a file beside it; only their owner can read
 * them.
 */
async function writeEndpoint(
  path: string,
  name: string,
  { kind, url, bucket, credentials }: IndependentStore,
) {
  const secretPath = path.replace(/json$/, "secret");
  const { accessKeyId, secretAccessKey } = credentials;
  const endpoint = {
    name,
    kind,
    url,
    region: "us-east-1",
    bucket,
    credentials: { accessKeyId, secretAccessKeyFile: basename(secretPath) },
  };
  await writeFile(secretPath, secretAccessKey, { mode: 0o600 });
  await writeFile(path, `${JSON.stringify(endpoint, null, 2)}\n`, { mode: 0o600 });
}

function describe(name: string, path: string, { kind, url, bucket, credentials }: IndependentStore): string {
  return [
    `${name}: kind ${kind}, address ${url}, region us-east-1, bucket ${bucket}`,
    `  id      ${credentials.accessKeyId}`,
    `  secret  ${path.replace(/json$/, "secret")}`,
    `  file    ${path}`,
  ].join("\n");
}

await main(process.argv.slice(2));
