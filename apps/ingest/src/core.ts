import type { Base } from "@stashlight/services/base";
import type { WithMerger } from "@stashlight/services/metrics/query";

export interface LazyCore {
  /** Opened by the first call. The ORM takes 50 MB of memory, and taking batches does not need it. */
  open(): Promise<WithMerger>;
  /** Closes the base, and the core if it was opened. */
  close(): Promise<void>;
}

export function lazyCore(base: Base): LazyCore {
  let opening: Promise<WithMerger> | undefined;
  const load = async (): Promise<WithMerger> => {
    try {
      const [{ withDatabase }, { withMerger }] = await Promise.all([
        import("@stashlight/services/core"),
        import("@stashlight/services/metrics/query"),
      ]);
      return withMerger(withDatabase(base));
    } catch (error) {
      // The next caller tries again.
      opening = undefined;
      throw error;
    }
  };
  return {
    open: () => {
      opening ??= load();
      return opening;
    },
    close: async () => {
      await (opening === undefined ? base : await opening).close();
    },
  };
}
