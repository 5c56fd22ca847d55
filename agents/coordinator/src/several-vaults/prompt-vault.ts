/**
 * A vault that fails at once if none of its pods is reachable. A single vault waits for its pods until the deadline,
 * but here every request that also concerns another vault would wait with it.
 */
import { VaultError } from "../vault/errors.ts";
import type { Vault } from "../vault/vault.ts";
import type { VaultVerbs } from "../vault/verbs.ts";

export function promptVault(vault: VaultVerbs & Pick<Vault, "settledPodCount">): VaultVerbs {
  const promptly = <Result>(work: () => Promise<Result>): Promise<Result> =>
    vault.settledPodCount === 0 ? Promise.reject(new VaultError("unavailable")) : work();
  return {
    head: (bucket, key) => promptly(() => vault.head(bucket, key)),
    get: (bucket, key) => promptly(() => vault.get(bucket, key)),
    list: (bucket, range) => promptly(() => vault.list(bucket, range)),
    put: (object, condition, how) => promptly(() => vault.put(object, condition, how)),
    delete: (bucket, key, condition) => promptly(() => vault.delete(bucket, key, condition)),
  };
}
