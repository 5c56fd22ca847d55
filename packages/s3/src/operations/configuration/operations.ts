/**
 * Reads, writes and removes configurations. An unset one is answered as AWS answers it; a write succeeds when the
 * configuration's row in the table accepts the body, and is refused otherwise.
 */
import { S3Error } from "../../errors.ts";
import { readXml } from "../../xml/request-xml.ts";
import { type BucketCall, emptyReply, type ObjectCall, type S3Reply, xmlReply } from "../call.ts";
import type { Configuration } from "./configuration.ts";
import { bucketConfigurations } from "./of-buckets.ts";
import { objectConfigurations } from "./of-objects.ts";

export async function readBucketConfiguration(call: BucketCall): Promise<S3Reply> {
  const { name, configuration } = find(bucketConfigurations, call);
  await call.store.headBucket(call.context, call);
  const kept = mayBeKept(configuration)
    ? await call.store.readBucketSetting(call.context, { bucket: call.bucket, name })
    : null;
  return kept === null ? read(call, configuration) : xmlReply(kept, configuration.replyHeaders);
}

export async function writeBucketConfiguration(call: BucketCall): Promise<S3Reply> {
  const { name, configuration } = find(bucketConfigurations, call);
  await call.store.headBucket(call.context, call);
  const text = await acceptWrite(call, configuration);
  if (mayBeKept(configuration)) await keep(call, name, text);
  return emptyReply(200, configuration.replyHeaders);
}

export async function removeBucketConfiguration(call: BucketCall): Promise<S3Reply> {
  const { name, configuration } = find(bucketConfigurations, call);
  await call.store.headBucket(call.context, call);
  const reply = remove(configuration);
  if (mayBeKept(configuration)) await keep(call, name, null);
  return reply;
}

async function keep(call: BucketCall, name: string, text: string | null): Promise<void> {
  const { store, context, bucket, lifecycle } = call;
  await store.writeBucketSetting(context, { bucket, name, text });
  if (name === "lifecycle") lifecycle.forget(bucket);
}

export async function readObjectConfiguration(call: ObjectCall): Promise<S3Reply> {
  await call.store.findObject(call.context, call);
  return read(call, find(objectConfigurations, call).configuration);
}

export async function writeObjectConfiguration(call: ObjectCall): Promise<S3Reply> {
  await call.store.findObject(call.context, call);
  await acceptWrite(call, find(objectConfigurations, call).configuration);
  return emptyReply(200);
}

interface NamedConfiguration {
  readonly name: string;
  readonly configuration: Configuration;
}

function find(those: ReadonlyMap<string, Configuration>, { query }: BucketCall): NamedConfiguration {
  for (const { name } of query.parameters) {
    const configuration = those.get(name);
    if (configuration !== undefined) return { name, configuration };
  }
  throw new TypeError("The route of a configuration has none.");
}

function mayBeKept({ write: asked }: Configuration): boolean {
  return asked?.keep !== undefined;
}

function read({ query, context }: BucketCall, { whenUnset, whenNoSuchId }: Configuration): S3Reply {
  if (whenNoSuchId !== undefined && query.has("id")) throw new S3Error(whenNoSuchId);
  if (whenUnset.kind === "error") throw new S3Error(whenUnset.code, whenUnset.message);
  return xmlReply(whenUnset.write(context.principal.accessKey.owner));
}

/** Returns the document to store, if any; rejects a write that is not accepted. */
async function acceptWrite(call: BucketCall, { write: asked }: Configuration): Promise<string | null> {
  if (asked === null) throw new S3Error("MethodNotAllowed");
  const { headers, context } = call;
  const { bytesMax } = asked;
  const text = await call.body.receiveText(bytesMax === undefined ? {} : { bytesMax });
  if (asked.root === null) throw new S3Error("NotImplemented", asked.refusal);
  // An access list may be written by headers alone, which have been checked already.
  const isByHeader = (name: string) => name === "x-amz-acl" || name.startsWith("x-amz-grant-");
  if (asked.root === "AccessControlPolicy" && text === "") {
    if (headers.names.some(isByHeader)) return null;
    throw new S3Error("NotImplemented", asked.refusal);
  }
  const body = readXml(text, asked.root);
  if (!asked.isSo(body, context.principal.accessKey.owner))
    throw new S3Error("NotImplemented", asked.refusal);
  return asked.keep?.(body) ?? null;
}

function remove({ remove: answer }: Configuration): S3Reply {
  if (answer === null) throw new S3Error("MethodNotAllowed");
  if (answer !== "no content") throw new S3Error(answer);
  return emptyReply(204);
}
