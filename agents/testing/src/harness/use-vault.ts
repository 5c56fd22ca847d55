import { afterAll, afterEach, beforeAll } from "vitest";
import { createClient, type S3Client } from "./client.ts";
import { startTestVault, type TestVault, type TestVaultOptions } from "./vault.ts";

const START_WITHIN_MS = 240_000;

export interface UsedVault {
  readonly vault: TestVault;
  readonly s3: S3Client;
}

/** Provides a vault for the tests of one file; its agents' output is printed with the first failing test. */
export function useVault(options: TestVaultOptions = {}, clientConfig: object = {}): UsedVault {
  let vault: TestVault | null = null;
  let s3: S3Client | null = null;
  let isShown = false;
  beforeAll(async () => {
    vault = await startTestVault(options);
    s3 = createClient(vault, clientConfig);
  }, START_WITHIN_MS);
  afterEach(({ task }) => {
    if (isShown || task.result?.state !== "fail") return;
    isShown = true;
    console.error(vault?.output());
  });
  afterAll(async () => {
    s3?.destroy();
    await vault?.close();
  });
  return {
    get vault() {
      if (vault === null) throw new Error("The vault is there from the first test on.");
      return vault;
    },
    get s3() {
      if (s3 === null) throw new Error("The client is there from the first test on.");
      return s3;
    },
  };
}
