/** Opens stores beside each other, so that one that is slow or fails takes none of the others down. */

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
 * Resolves when each is open or has failed, with those that are open. Once the signal is aborted, those that are still
 * starting give up, which is no failure.
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
