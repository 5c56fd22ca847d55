/** The operations on buckets themselves. */
import { S3Error } from "../errors.ts";
import { getInteger } from "../request/query.ts";
import { mayUse } from "../signature/access-key.ts";
import { readXml } from "../xml/request-xml.ts";
import { element, optional, xmlDocument } from "../xml/write.ts";
import { type BucketCall, emptyReply, isoTime, type S3Reply, type ServiceCall, xmlReply } from "./call.ts";
import { ownerElement } from "./list-objects.ts";
import { formatToken, parseToken } from "./listing.ts";

/** S3 reports this region as an empty LocationConstraint. */
const NAMELESS_REGION = "us-east-1";

/** AWS's limit, and the number it lists by default. */
const LISTED_BUCKET_COUNT_MAX = 10_000;

export async function listBuckets(call: ServiceCall): Promise<S3Reply> {
  const { store, context, region } = call;
  const { accessKey } = context.principal;
  const wish = readBucketsQuery(call);
  const isHere = wish.region === undefined || wish.region === region;
  const found = (await store.listBuckets(context))
    .filter(({ name, owner }) => owner === accessKey.owner && mayUse(accessKey, "read", name))
    .filter(({ name }) => isHere && name.startsWith(wish.prefix) && name > wish.after)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const page = found.slice(0, wish.bucketCountMax);
  const last = found.length > page.length ? page.at(-1) : undefined;
  return xmlReply(
    xmlDocument(
      "ListAllMyBucketsResult",
      ownerElement("Owner", call),
      element(
        "Buckets",
        page.map(({ name, createdMs }) =>
          element(
            "Bucket",
            element("Name", name),
            element("CreationDate", isoTime(createdMs)),
            element("BucketRegion", region),
          ),
        ),
      ),
      optional("ContinuationToken", last && formatToken(last.name)),
      optional("Prefix", wish.prefix === "" ? null : wish.prefix),
    ),
  );
}

function readBucketsQuery({ query }: ServiceCall) {
  const token = query.get("continuation-token");
  const after = token === undefined ? "" : parseToken(token);
  if (after === null) throw new S3Error("InvalidArgument", "The continuation token provided is incorrect.");
  const max = LISTED_BUCKET_COUNT_MAX;
  // One above the limit stands for all larger numbers, which AWS refuses here.
  const asked = getInteger(query, "max-buckets", { min: 1, max: max + 1, otherwise: max });
  if (asked > max) throw new S3Error("InvalidArgument", `max-buckets must be an integer from 1 to ${max}.`);
  const region = query.get("bucket-region");
  return { prefix: query.get("prefix") ?? "", after, bucketCountMax: asked, region };
}

export async function createBucket({ store, context, region, bucket, body }: BucketCall): Promise<S3Reply> {
  const text = await body.receiveText();
  const wanted =
    text.trim() === "" ? undefined : readXml(text, "CreateBucketConfiguration").text("LocationConstraint");
  if (wanted !== undefined && wanted !== "" && wanted !== region) {
    throw new S3Error(
      "IllegalLocationConstraintException",
      `The region of this endpoint is "${region}", not "${wanted}".`,
    );
  }
  try {
    await store.createBucket(context, { bucket });
  } catch (error) {
    // As on AWS, creating a bucket that the caller already owns succeeds only in us-east-1.
    const isOwn = error instanceof S3Error && error.code === "BucketAlreadyOwnedByYou";
    if (!isOwn || region !== NAMELESS_REGION) throw error;
  }
  return emptyReply(200, { location: `/${bucket}` });
}

export async function headBucket({ store, context, region, bucket }: BucketCall): Promise<S3Reply> {
  await store.headBucket(context, { bucket });
  return emptyReply(200, { "x-amz-bucket-region": region });
}

export async function deleteBucket({ store, context, bucket }: BucketCall): Promise<S3Reply> {
  await store.deleteBucket(context, { bucket });
  return emptyReply(204);
}

export async function getBucketLocation({ store, context, region, bucket }: BucketCall): Promise<S3Reply> {
  await store.headBucket(context, { bucket });
  return xmlReply(xmlDocument("LocationConstraint", region === NAMELESS_REGION ? "" : region));
}
