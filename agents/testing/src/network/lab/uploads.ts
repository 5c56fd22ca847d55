/**
 * A client on another machine: `uploads.ts SETTINGS` stores objects through an S3 endpoint, reads them back, and prints
 * its observations as a line of JSON. Like any program, it also trusts the authorities in NODE_EXTRA_CA_CERTS.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:tls";
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { readBody, S3Client } from "../../harness/client.ts";

export interface UploadSettings {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly bucket: string;
  /** Nodes that must answer over TLS, with a certificate for their own name. */
  readonly nodes: readonly { readonly id: string; readonly host: string; readonly port: number }[];
}

export interface Uploaded {
  /** When the first object was acknowledged, on the clock that all processes share. */
  readonly firstMs: number;
  readonly count: number;
  /** Keys of objects whose bytes differed when read back. */
  readonly differing: readonly string[];
  readonly protocols: Readonly<Record<string, string>>;
}

const sizes = [1, 4096, 100_000, 262_144, 1_048_577, 3_000_000];
/** The SDK waits up to 20 s between attempts, and a vault that has just started may answer 503. */
const ATTEMPTS_MAX = 20;

async function negotiatedProtocol({
  id,
  host,
  port,
}: UploadSettings["nodes"][number]): Promise<[string, string]> {
  const socket = connect({ host, port, servername: id });
  await once(socket, "secureConnect");
  const protocol = socket.getProtocol() ?? "none";
  socket.destroy();
  return [id, protocol];
}

const settings = JSON.parse(process.argv[2] ?? "{}") as UploadSettings;
const { endpoint, accessKeyId, secretAccessKey, bucket: Bucket } = settings;
const s3 = new S3Client({
  endpoint,
  region: "us-east-1",
  forcePathStyle: true,
  maxAttempts: ATTEMPTS_MAX,
  credentials: { accessKeyId, secretAccessKey },
});

await s3.send(new CreateBucketCommand({ Bucket }));
let firstMs: number | null = null;
const objects = sizes.flatMap((size) =>
  [1, 2].map((at) => ({ Key: `${size}-${at}`, Body: randomBytes(size) })),
);
for (const { Key, Body } of objects) {
  await s3.send(new PutObjectCommand({ Bucket, Key, Body }));
  firstMs ??= Number(process.hrtime.bigint()) / 1e6;
}
const differing: string[] = [];
for (const { Key, Body } of objects) {
  const answer = await s3.send(new GetObjectCommand({ Bucket, Key }));
  if (!(await readBody(answer.Body)).equals(Body)) differing.push(Key);
}
const protocols = Object.fromEntries(await Promise.all(settings.nodes.map(negotiatedProtocol)));
s3.destroy();
const uploaded: Uploaded = { firstMs: firstMs ?? Number.NaN, count: objects.length, differing, protocols };
process.stdout.write(`${JSON.stringify(uploaded)}\n`);
