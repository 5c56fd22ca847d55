/**
 * A browser's upload, whose key, headers and signature are fields of a form. They precede the file and are read before
 * the request is authenticated, so their size is limited.
 */
import { createFileBody } from "../body/form/file-body.ts";
import { type FormUpload, isFormContent, openForm } from "../body/form/form-upload.ts";
import { S3Error } from "../errors.ts";
import { HEADER_RULES } from "../operations/asked/headers.ts";
import { fillFileName, readFormHeaders } from "../operations/post-object/form-headers.ts";
import { checkPolicy, type PostPolicy, parsePolicy } from "../operations/post-object/policy.ts";
import { routeForm } from "../operations/route.ts";
import { createRequestHeaders, type RequestHeaders } from "../request/headers.ts";
import type { RequestTarget } from "../request/target.ts";
import { authenticateForm } from "../signature/authenticate.ts";
import type { Exchange, OpenedRequest } from "./exchange.ts";
import type { EdgeConfig } from "./options.ts";

const EXPECTED_OWNER = "x-amz-expected-bucket-owner";

/** True if a request uploads a form to a bucket, even if it is otherwise invalid. */
export function isFormUpload(
  method: string,
  { bucket, key, query }: RequestTarget,
  headers: RequestHeaders,
): boolean {
  const isToBucket = method === "POST" && bucket !== null && key === null && !query.has("delete");
  return isToBucket && isFormContent(headers.get("content-type"));
}

export async function openFormRequest(
  edge: EdgeConfig,
  exchange: Exchange,
  { target, headers }: { readonly target: RequestTarget; readonly headers: RequestHeaders },
): Promise<OpenedRequest> {
  checkUnsigned(headers);
  const length = headers.get("content-length");
  if (length === undefined || !/^\d{1,15}$/.test(length)) throw new S3Error("MissingContentLength");
  const { incoming, onBodyStart } = exchange;
  const contentType = headers.get("content-type") ?? "";
  const source = { stream: incoming, contentType, limits: edge.limits, onStart: onBodyStart };
  const form = await openForm(source);
  try {
    return await openFile(edge, exchange, { target, headers, form, contentLength: Number(length) });
  } catch (error) {
    await form.abandon();
    throw error;
  }
}

interface OpenedForm {
  readonly target: RequestTarget;
  readonly headers: RequestHeaders;
  readonly form: FormUpload;
  readonly contentLength: number;
}

async function openFile(
  edge: EdgeConfig,
  { story }: Exchange,
  { target, headers: sent, form, contentLength }: OpenedForm,
): Promise<OpenedRequest> {
  const { limits } = edge;
  const startedMs = performance.now();
  const principal = await authenticateForm(form.fields, { ...edge, nowMs: edge.nowMs() });
  story.authenticationMs = performance.now() - startedMs;
  const { owner, id } = principal.accessKey;
  story.accessKeyId = id;
  const bucket = target.bucket as string;
  const fields = fillFileName(form.fields, form.fileName);
  const policy = parsePolicy(fields.get("policy") ?? "");
  checkPolicy(policy, withBucket(fields, bucket), edge.nowMs());
  const headers = withExpectedOwner(readFormHeaders(fields), sent);
  const found = routeForm({ target, headers, owner, bucket, key: readKey(fields) });
  return {
    principal,
    headers,
    found,
    createBody: (progress) => {
      const bounds = fileBounds(policy, limits.uploadBytesMax);
      return createFileBody({ ...progress, form, headers, contentLength, bounds, limits });
    },
    abandon: form.abandon,
  };
}

function fileBounds({ file }: PostPolicy, uploadBytesMax: number) {
  return { bytesMin: file.bytesMin, bytesMax: Math.min(file.bytesMax, uploadBytesMax) };
}

/**
 * Adds the bucket to the fields that the policy must name, so that a policy is not valid for other buckets of the same
 * key.
 */
function withBucket(fields: ReadonlyMap<string, string>, bucket: string): ReadonlyMap<string, string> {
  const named = fields.get("bucket");
  if (named === undefined || named === bucket) return new Map([...fields, ["bucket", bucket]]);
  throw new S3Error("AccessDenied", `The form is for the bucket ${named}, but was sent to ${bucket}.`);
}

function readKey(fields: ReadonlyMap<string, string>): string {
  const key = fields.get("key");
  if (key === undefined) {
    throw new S3Error(
      "InvalidArgument",
      "Bucket POST must contain a field named 'key'. If it is specified, please check the order of the fields.",
      { details: { ArgumentName: "key" } },
    );
  }
  if (key === "") throw new S3Error("InvalidArgument", "User key must have a length greater than 0.");
  return key;
}

/**
 * Rejects headers that could change the effect of the request: the policy does not sign them, so they must be fields.
 */
function checkUnsigned({ names }: RequestHeaders): void {
  const unsigned = names.filter(
    (name) =>
      name.startsWith("x-amz-") && name !== EXPECTED_OWNER && HEADER_RULES.get(name)?.kind !== "ignored",
  );
  if (unsigned.length === 0) return;
  throw new S3Error("AccessDenied", "A form has its x-amz- headers as fields, which its policy names.", {
    details: { HeadersNotSigned: unsigned.join(", ") },
  });
}

/** Keeps the expected owner, which may be an unsigned header because it can only make a request fail. */
function withExpectedOwner(headers: RequestHeaders, sent: RequestHeaders): RequestHeaders {
  const expected = sent.get(EXPECTED_OWNER);
  if (expected === undefined || headers.get(EXPECTED_OWNER) !== undefined) return headers;
  const all = headers.names.flatMap((name) => [name, headers.joined(name) as string]);
  return createRequestHeaders([...all, EXPECTED_OWNER, expected]);
}
