/**
 * A request's claims about its signature, read from the Authorization header or the query. They are not trusted until
 * authenticate.ts has checked them.
 */
import { S3Error, type S3ErrorCode } from "../errors.ts";
import type { RequestHeaders } from "../request/headers.ts";
import type { Query } from "../request/query.ts";

export const ALGORITHM = "AWS4-HMAC-SHA256";
const EXPIRES_SECONDS_MAX = 604_800;

export interface CredentialScope {
  /** YYYYMMDD */
  readonly date: string;
  readonly region: string;
  readonly service: string;
}

export interface Claim {
  readonly carrier: "header" | "query";
  readonly accessKeyId: string;
  readonly scope: CredentialScope;
  /** Lower-case names, in ascending order. */
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  /** YYYYMMDDTHHMMSSZ */
  readonly timestamp: string;
  /** Validity of a presigned address from its timestamp on; null for a signature in a header. */
  readonly expiresSeconds: number | null;
}

/** Returns null for an anonymous request. */
export function readClaim(headers: RequestHeaders, query: Query): Claim | null {
  const authorization = headers.get("authorization");
  const isPresigned = query.has("X-Amz-Algorithm") || query.has("X-Amz-Signature");
  if (authorization !== undefined && isPresigned) {
    throw new S3Error("InvalidRequest", "The request is signed twice: by a header and by its query.");
  }
  if (authorization !== undefined) return readHeaderClaim(authorization, headers);
  if (isPresigned) return readQueryClaim(query);
  if (query.has("AWSAccessKeyId") && query.has("Signature")) throw signedByVersion2();
  return null;
}

/**
 * A form is signed by its policy, which limits its other fields. Only forms may use signature version 2, which boto3
 * uses for them by default.
 */
export type FormClaim = {
  readonly accessKeyId: string;
  readonly signature: string;
  /** The policy as sent, in base64, which is what the signature covers. */
  readonly policy: string;
} & (({ readonly version: 4 } & Pick<Claim, "scope" | "timestamp">) | { readonly version: 2 });

/** `fields` are those of the form, by lower-case name. */
export function readFormClaim(fields: ReadonlyMap<string, string>): FormClaim {
  const code = "AuthorizationQueryParametersError";
  const get = (name: string) => {
    const value = fields.get(name.toLowerCase());
    if (value !== undefined && value !== "") return value;
    throw new S3Error(
      "InvalidArgument",
      `Bucket POST must contain a field named '${name}'. If it is specified, please check the order of the fields.`,
      { details: { ArgumentName: name } },
    );
  };
  const names = ["policy", "x-amz-signature", "x-amz-credential", "signature", "awsaccesskeyid"];
  if (!names.some((name) => fields.has(name))) {
    throw new S3Error("AccessDenied", "The form is not signed; anonymous uploads are not allowed.");
  }
  const policy = get("policy");
  if (fields.has("awsaccesskeyid") || fields.has("signature")) {
    return { version: 2, accessKeyId: get("AWSAccessKeyId"), policy, signature: get("signature") };
  }
  if (get("X-Amz-Algorithm") !== ALGORITHM) throw unsupportedAlgorithm();
  const timestamp = get("X-Amz-Date");
  if (!isTimestamp(timestamp)) throw malformed(code, "X-Amz-Date is not of the form 20260131T235959Z");
  const credential = readCredential(get("X-Amz-Credential"), code);
  return { version: 4, ...credential, policy, timestamp, signature: get("X-Amz-Signature") };
}

/** `AWS4-HMAC-SHA256 Credential=…, SignedHeaders=…, Signature=…` */
function readHeaderClaim(authorization: string, headers: RequestHeaders): Claim {
  const code = "AuthorizationHeaderMalformed";
  const space = authorization.indexOf(" ");
  const scheme = authorization.slice(0, space);
  if (scheme === "AWS") throw signedByVersion2();
  if (scheme !== ALGORITHM) throw unsupportedAlgorithm();
  const fields = new Map<string, string>();
  for (const part of authorization.slice(space + 1).split(",")) {
    const equals = part.indexOf("=");
    const name = part.slice(0, equals).trim();
    if (equals === -1 || fields.has(name)) throw malformed(code, `the part "${part.trim()}" is not expected`);
    fields.set(name, part.slice(equals + 1).trim());
  }
  return {
    carrier: "header",
    ...readCredential(need(fields.get("Credential"), "Credential", code), code),
    signedHeaders: readSignedHeaders(need(fields.get("SignedHeaders"), "SignedHeaders", code), code),
    signature: need(fields.get("Signature"), "Signature", code),
    timestamp: readTimestampOfHeaders(headers),
    expiresSeconds: null,
  };
}

function readQueryClaim(query: Query): Claim {
  const code = "AuthorizationQueryParametersError";
  const get = (name: string) => need(query.get(name), name, code);
  if (get("X-Amz-Algorithm") !== ALGORITHM) throw unsupportedAlgorithm();
  const timestamp = get("X-Amz-Date");
  if (!isTimestamp(timestamp)) throw malformed(code, "X-Amz-Date is not of the form 20260131T235959Z");
  const expires = get("X-Amz-Expires");
  const expiresSeconds = Number(expires);
  // AWS accepts 0 as well: such an address has expired, which is answered 403 rather than 400.
  if (!/^\d{1,9}$/.test(expires) || expiresSeconds > EXPIRES_SECONDS_MAX) {
    throw malformed(code, `X-Amz-Expires must be an integer from 0 to ${EXPIRES_SECONDS_MAX}`);
  }
  return {
    carrier: "query",
    ...readCredential(get("X-Amz-Credential"), code),
    signedHeaders: readSignedHeaders(get("X-Amz-SignedHeaders"), code),
    signature: get("X-Amz-Signature"),
    timestamp,
    expiresSeconds,
  };
}

/** `KEY/20260131/us-east-1/s3/aws4_request`; the key itself may contain slashes. */
function readCredential(text: string, code: S3ErrorCode): Pick<Claim, "accessKeyId" | "scope"> {
  const parts = text.split("/");
  const [date, region, service, terminator] = parts.slice(-4);
  const accessKeyId = parts.slice(0, -4).join("/");
  if (accessKeyId === "" || !date || !region || !service || terminator !== "aws4_request") {
    throw malformed(code, "the credential is not of the form KEY/DATE/REGION/s3/aws4_request");
  }
  return { accessKeyId, scope: { date, region, service } };
}

function readSignedHeaders(text: string, code: S3ErrorCode): readonly string[] {
  const names = text.split(";");
  const isSorted = names.every((name, i) => i === 0 || (names[i - 1] as string) < name);
  if (!isSorted || names.some((name) => !/^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name))) {
    throw malformed(code, "the signed headers must be lower-case names in ascending order");
  }
  return names;
}

function readTimestampOfHeaders(headers: RequestHeaders): string {
  const amzDate = headers.get("x-amz-date");
  if (amzDate !== undefined && isTimestamp(amzDate)) return amzDate;
  const date = amzDate === undefined ? headers.get("date") : undefined;
  const dateMs = date === undefined ? Number.NaN : Date.parse(date);
  if (Number.isNaN(dateMs)) {
    throw new S3Error("AccessDenied", "A signed request needs a valid x-amz-date or Date header.");
  }
  return formatTimestamp(dateMs);
}

function isTimestamp(text: string): boolean {
  return /^\d{8}T\d{6}Z$/.test(text);
}

function formatTimestamp(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/[-:]|\.\d{3}/g, "");
}

/** Converts YYYYMMDDTHHMMSSZ to milliseconds since 1970. */
export function parseTimestamp(timestamp: string): number {
  const at = (from: number, to: number) => Number(timestamp.slice(from, to));
  return Date.UTC(at(0, 4), at(4, 6) - 1, at(6, 8), at(9, 11), at(11, 13), at(13, 15));
}

function need(value: string | undefined, name: string, code: S3ErrorCode): string {
  if (value === undefined || value === "") throw malformed(code, `${name} is missing`);
  return value;
}

function malformed(code: S3ErrorCode, what: string): S3Error {
  return new S3Error(code, `The signature of the request is malformed: ${what}.`);
}

function signedByVersion2(): S3Error {
  return new S3Error(
    "InvalidRequest",
    `The request is signed with Signature Version 2, which is not supported. Please use Signature Version 4 (${ALGORITHM}); boto3 presigns with it if the client has Config(signature_version="s3v4").`,
  );
}

function unsupportedAlgorithm(): S3Error {
  return new S3Error("InvalidRequest", `The only supported way to sign a request is ${ALGORITHM}.`);
}
