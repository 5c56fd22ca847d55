/**
 * Objects in several buckets that are written once and read continuously. Readers accept being asked to retry, and no
 * other failure.
 */
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { readBody } from "../client.ts";
import { contentBody } from "../ledger.ts";
import { isUnavailable, retryWhileUnavailable } from "../retry-requests.ts";

export interface KeptObject {
  readonly bucket: string;
  readonly key: string;
  readonly body: Buffer;
  readonly md5: string;
}

const READER_COUNT = 6;
/** Short enough for readers to meet every fault, and long enough to leave processor time to the agents. */
const PAUSE_MS = 100;
const OBJECTS_PER_BUCKET = 10;

export class KeptObjects {
  readonly objects: readonly KeptObject[];
  readonly complaints: string[] = [];
  readonly #s3: S3Client;
  #readCount = 0;
  #refusedCount = 0;
  #readers: Promise<void>[] = [];
  #isRunning = false;

  private constructor(s3: S3Client, objects: readonly KeptObject[]) {
    this.#s3 = s3;
    this.objects = objects;
  }

  static async create(s3: S3Client, name: string, count: number): Promise<KeptObjects> {
    const objects = Array.from({ length: count }, (_, i) => {
      const bucket = `${name}-${Math.floor(i / OBJECTS_PER_BUCKET)}`;
      const body = contentBody(`${name}/${i}`, 0);
      return { bucket, key: `object/${i}`, body, md5: createHash("md5").update(body).digest("hex") };
    });
    for (const Bucket of new Set(objects.map(({ bucket }) => bucket)))
      await retryWhileUnavailable(`${Bucket} can be made`, () =>
        s3.send(new CreateBucketCommand({ Bucket })),
      );
    for (const { bucket: Bucket, key: Key, body: Body } of objects)
      await retryWhileUnavailable(`${Key} can be written`, () =>
        s3.send(new PutObjectCommand({ Bucket, Key, Body })),
      );
    return new KeptObjects(s3, objects);
  }

  get buckets(): string[] {
    return [...new Set(this.objects.map(({ bucket }) => bucket))];
  }

  /** Number of reads that ended, successful or refused. */
  get attemptCount(): number {
    return this.#readCount + this.#refusedCount;
  }

  get refusedCount(): number {
    return this.#refusedCount;
  }

  startReading(): void {
    this.#isRunning = true;
    this.#readers = Array.from({ length: READER_COUNT }, (_, reader) => this.#read(reader));
  }

  async stopReading(): Promise<void> {
    this.#isRunning = false;
    await Promise.all(this.#readers);
  }

  async #read(reader: number): Promise<void> {
    for (let turn = reader; this.#isRunning; turn += READER_COUNT) {
      const object = this.objects[turn % this.objects.length] as KeptObject;
      if (turn % 10 === 9) await this.#attempt(`listing ${object.bucket}`, () => this.#list(object.bucket));
      else await this.#attempt(`${object.bucket}/${object.key}`, () => this.#compare(object));
      await delay(PAUSE_MS);
    }
  }

  async #attempt(what: string, look: () => Promise<string | null>): Promise<void> {
    try {
      const complaint = await look();
      this.#readCount += 1;
      if (complaint !== null) this.complaints.push(complaint);
    } catch (error) {
      this.#refusedCount += 1;
      const { name, message } = error as Error;
      if (!isUnavailable(error as Error)) this.complaints.push(`${what}: ${name}: ${message}`);
    }
  }

  async #compare({ bucket: Bucket, key: Key, body }: KeptObject): Promise<string | null> {
    const got = await this.#s3.send(new GetObjectCommand({ Bucket, Key }));
    return (await readBody(got.Body)).equals(body) ? null : `${Bucket}/${Key} shows other bytes.`;
  }

  async #list(Bucket: string): Promise<string | null> {
    const { Contents = [] } = await this.#s3.send(new ListObjectsV2Command({ Bucket }));
    const listed = new Set(Contents.map(({ Key }) => Key));
    const missing = this.objects.filter(({ bucket, key }) => bucket === Bucket && !listed.has(key));
    return missing.length === 0
      ? null
      : `A list of ${Bucket} lacks ${missing.map(({ key }) => key).join(", ")}.`;
  }
}
