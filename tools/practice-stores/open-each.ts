/** Opens stores concurrently, so that a slow or failing one does not affect the others. */

export interface Opening<Store> {
  readonly name: string;
  readonly open: (signal: AbortSignal) => Promise<Store>;
}

export interface OpenListener<Store> {
  readonly onOpened: (name: string, store: Store) => Promise<void>;
  readonly onFailed: (name: string, error: Error) => void;
}

interface Closing {
  close(): Promise<void>;
}

/**
 * Resolves with the open stores once each is open or has failed. Once the signal is aborted, stores that are still
 * starting give up, which is not reported as a failure.
 */
export async function openEach<Store extends Closing>(
  openings: readonly Opening<Store>[],
  { onOpened, onFailed }: OpenListener<Store>,
  signal: AbortSignal,
): Promise<Store[]> {
  const stores = await Promise.all(
    openings.map(async ({ name, open }) => {
      let store: Store | null = null;
      try {
        store = await open(signal);
        await onOpened(name, store);
        return [store];
      } catch (error) {
        await store?.close();
        if (!signal.aborted) onFailed(name, error as Error);
        return [];
      }
    }),
  );
  return stores.flat();
}
