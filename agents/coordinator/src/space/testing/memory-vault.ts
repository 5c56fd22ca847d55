/** A vault in memory that answers like the real one, and fails on demand. */
import { randomBytes } from "node:crypto";
import { type Condition, formatOrder, type UploadHeader } from "@stashlight/write-path";
import { VaultError } from "../../vault/errors.ts";
import type { StoredObject } from "../../vault/objects.ts";
import type { VaultVerbs } from "../../vault/verbs.ts";

type Verb = keyof VaultVerbs;

export class MemoryVault implements VaultVerbs {
  readonly #objects = new Map<string, StoredObject>();
  readonly #asked = new Map<string, number>();
  #orderCount = 0;
  /** Called before each verb takes effect; may reject. */
  before: (verb: Verb, bucket: string, key: string) => void | Promise<void> = () => {};

  keysIn(bucket: string): string[] {
    return [...this.#objects.values()]
      .filter(({ upload }) => upload.bucket === bucket)
      .map(({ upload }) => upload.key)
      .sort();
  }

  /** Number of calls per verb and bucket since the last call of this method. */
  takeAsked(): Record<string, number> {
    const asked = Object.fromEntries(this.#asked);
    this.#asked.clear();
    return asked;
  }

  async #ask(verb: Verb, bucket: string, key: string): Promise<void> {
    const name = `${verb} ${bucket}`;
    this.#asked.set(name, (this.#asked.get(name) ?? 0) + 1);
    await this.before(verb, bucket, key);
  }

  put: VaultVerbs["put"] = async (object, condition, { onTurn = () => {} }) => {
    const { bucket, key, bytes, etag, contentType, metadata } = object;
    await this.#ask("put", bucket, key);
    onTurn();
    this.#check(bucket, key, condition);
    const header = { bucket, key, etag, contentType, userMetadata: metadata, sizeBytes: bytes.length };
    const upload = this.#headerOf(header);
    this.#objects.set(`${bucket}/${key}`, { upload, parts: [Buffer.from(bytes)] });
    return { upload, path: "stash", encodeMs: 0, quorumMs: 0 };
  };

  #check(bucket: string, key: string, condition: Condition): void {
    if (condition.type === "none") return;
    const present = this.#objects.get(`${bucket}/${key}`)?.upload ?? null;
    const isMet =
      condition.type === "absent"
        ? present === null
        : condition.type === "etag"
          ? present?.etag === condition.etag
          : present?.uploadId === condition.uploadId;
    if (!isMet) throw new VaultError("precondition");
  }

  delete: VaultVerbs["delete"] = async (bucket, key, condition = { type: "none" }) => {
    await this.#ask("delete", bucket, key);
    this.#check(bucket, key, condition);
    this.#objects.delete(`${bucket}/${key}`);
    const nothing = { etag: "", contentType: "", userMetadata: {}, sizeBytes: 0 };
    return this.#headerOf({ bucket, key, ...nothing }, "tombstone");
  };

  get: VaultVerbs["get"] = async (bucket, key) => {
    await this.#ask("get", bucket, key);
    return this.#objects.get(`${bucket}/${key}`) ?? null;
  };

  head: VaultVerbs["head"] = async (bucket, key) => {
    await this.#ask("head", bucket, key);
    return this.#objects.get(`${bucket}/${key}`)?.upload ?? null;
  };

  list: VaultVerbs["list"] = async (bucket, { prefix, after, keyCountMax }) => {
    await this.#ask("list", bucket, prefix);
    const found = [...this.#objects.values()]
      .map(({ upload }) => upload)
      .filter(({ bucket: of, key }) => of === bucket && key.startsWith(prefix) && compareKeys(key, after) > 0)
      .sort((a, b) => compareKeys(a.key, b.key));
    return { uploads: found.slice(0, keyCountMax), isTruncated: found.length > keyCountMax };
  };

  #headerOf(
    header: Omit<UploadHeader, "uploadId" | "kind" | "order" | "scheme" | "epoch">,
    kind: UploadHeader["kind"] = "object",
  ): UploadHeader {
    this.#orderCount += 1;
    const order = formatOrder(this.#orderCount, 0, 0);
    const scheme = { dataShardCount: 2, parityShardCount: 1 };
    return { ...header, uploadId: randomBytes(16).toString("hex"), kind, order, scheme, epoch: 1 };
  }
}

function compareKeys(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
