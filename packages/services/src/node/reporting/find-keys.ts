/**
 * Finds keys of nodes by their hashes. Nodes send their windows at the same moments, so keys requested while a database
 * query is in progress are looked up together by the next one.
 */
import type { MetricClient } from "@stashlight/db/metrics";

export interface FoundKey {
  readonly keyHash: string;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly nodeId: string;
  readonly name: string;
  readonly vault: string;
  readonly role: string;
  readonly status: string;
  readonly isSimulated: boolean;
}

const KEY_COUNT_MAX = 1000;

const keysSql = `
  SELECT k.key_hash AS "keyHash", k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt", n.id AS "nodeId",
         n.name, n.vault, n.role, n.status, n.is_simulated AS "isSimulated"
    FROM node_key AS k JOIN node AS n ON n.id = k.node_id WHERE k.key_hash = ANY ($1::bpchar[])`;

type KeyReader = Pick<MetricClient, "query">;

export async function findKeys(client: KeyReader, hashes: readonly string[]): Promise<Map<string, FoundKey>> {
  const { rows } = await client.query<FoundKey>(keysSql, [hashes]);
  return new Map(rows.map((key) => [key.keyHash, key]));
}

export class KeyLookup {
  readonly #client: KeyReader;
  #waiting = new Map<string, PromiseWithResolvers<FoundKey | undefined>>();
  #isUnderWay = false;

  constructor(client: KeyReader) {
    this.#client = client;
  }

  find(hash: string): Promise<FoundKey | undefined> {
    const asked = this.#waiting.get(hash) ?? Promise.withResolvers<FoundKey | undefined>();
    this.#waiting.set(hash, asked);
    if (!this.#isUnderWay) void this.#findWaiting();
    return asked.promise;
  }

  async #findWaiting(): Promise<void> {
    this.#isUnderWay = true;
    while (this.#waiting.size > 0) {
      const asked = [...this.#waiting].slice(0, KEY_COUNT_MAX);
      for (const [hash] of asked) this.#waiting.delete(hash);
      const hashes = asked.map(([hash]) => hash);
      await findKeys(this.#client, hashes).then(
        (found) => {
          for (const [hash, { resolve }] of asked) resolve(found.get(hash));
        },
        (error: unknown) => {
          for (const [, { reject }] of asked) reject(error);
        },
      );
    }
    this.#isUnderWay = false;
  }
}
