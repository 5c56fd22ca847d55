import { afterEach, beforeAll } from "vitest";
import { type UsedVault, useVault } from "../use-vault.ts";
import type { TestVaultOptions } from "../vault.ts";
import { Drill, drillClient, drillVault } from "./drill.ts";
import type { FileFaults } from "./file-faults.ts";

/** Six pods on two nodes; an upload can spare two of its shards. */
export const sixPods = {
  scheme: { dataShardCount: 4, parityShardCount: 2 },
  podNodeCount: 2,
  stashNodeCount: 6,
} as const;

export interface UsedDrill extends UsedVault {
  readonly drill: Drill;
}

/**
 * Provides a drill for the tests of one file, which are skipped without `faults`. Faults are cleared after every test, and
 * clients stopped: those of a failed test would write the keys of the next one.
 */
export function useDrill(faults: FileFaults | null, options: TestVaultOptions = {}): UsedDrill {
  const used = useVault({ ...drillVault, ...options, env: faults?.env ?? {} }, drillClient);
  let drill: Drill | null = null;
  beforeAll(async () => {
    if (faults !== null) drill = await Drill.create({ vault: used.vault, s3: used.s3, faults });
  });
  afterEach(async () => {
    faults?.clear();
    await drill?.stopClients();
  });
  return {
    get vault() {
      return used.vault;
    },
    get s3() {
      return used.s3;
    },
    get drill() {
      if (drill === null) throw new Error("The drill is there from the first test on.");
      return drill;
    },
  };
}
