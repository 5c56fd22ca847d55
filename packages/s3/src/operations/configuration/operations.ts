/**
 * Reads, writes and removes configurations. What no bucket or object here has is answered as AWS answers while nothing
 * is set; a write succeeds when it asks for that state, and is refused otherwise.
 */
import { S3Error } from "../../errors.ts";
import { readXml } from "../../xml/read.ts";
import { type BucketCall, emptyReply, type ObjectCall, type S3Reply, xmlReply } from "../call.ts";
import type { Configuration } from "./configuration.ts";
import { bucketConfigurations } from "./of-buckets.ts";
import { objectConfigurations } from "./of-objects.ts";

export async function readBucketConfiguration(call: BucketCall): Promise<S3Reply> {
  await call.store.headBucket(call.context, call);
  return read(call, find(bucketConfigurations, call));
}

export async function writeBucketConfiguration(call: BucketCall): Promise<S3Reply> {
  await call.store.headBucket(call.context, call);
  return await write(call, find(bucketConfigurations, call));
}

export async function removeBucketConfiguration(call: BucketCall): Promise<S3Reply> {
  await call.store.headBucket(call.context, call);
  return remove(find(bucketConfigurations, call));
}

export async function readObjectConfiguration(call: ObjectCall): Promise<S3Reply> {
  await call.store.headObject(call.context, call);
  return read(call, find(objectConfigurations, call));
}

export async function writeObjectConfiguration(call: ObjectCall): Promise<S3Reply> {
  await call.store.headObject(call.context, call);
  return await write(call, find(objectConfigurations, call));
}

export async function removeObjectConfiguration(call: ObjectCall): Promise<S3Reply> {
  await call.store.headObject(call.context, call);
  return remove(find(objectConfigurations, call));
}

function find(those: ReadonlyMap<string, Configuration>, { query }: BucketCall): Configuration {
  for (const { name } of query.parameters) {
    const found = those.get(name);
    if (found !== undefined) return found;
  }
  throw new TypeError("The route of a configuration has none.");
}

function read({ query, context }: BucketCall, { whenUnset, whenNoSuchId }: Configuration): S3Reply {
  if (whenNoSuchId !== undefined && query.has("id")) throw new S3Error(whenNoSuchId);
  if (whenUnset.kind === "error") throw new S3Error(whenUnset.code, whenUnset.message);
  return xmlReply(whenUnset.write(context.principal.accessKey.owner));
}

async function write(call: BucketCall, { write: asked }: Configuration): Promise<S3Reply> {
  if (asked === null) throw new S3Error("MethodNotAllowed");
  const text = await call.body.receiveText();
  if (await asksForNothing(call, text, asked)) return emptyReply(200);
  throw new S3Error("NotImplemented", asked.refusal);
}

async function asksForNothing(
  { headers, context }: BucketCall,
  text: string,
  { root, isSo }: NonNullable<Configuration["write"]>,
): Promise<boolean> {
  if (root === null) return false;
  // An access list may be written by headers alone, and those have been checked already.
  if (root === "AccessControlPolicy" && text === "") {
    return headers.names.some((name) => name === "x-amz-acl" || name.startsWith("x-amz-grant-"));
  }
  return isSo(readXml(text, root), context.principal.accessKey.owner);
}

function remove({ remove: answer }: Configuration): S3Reply {
  if (answer === null) throw new S3Error("MethodNotAllowed");
  if (answer !== "no content") throw new S3Error(answer);
  return emptyReply(204);
}
