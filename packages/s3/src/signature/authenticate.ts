/**
 * Authenticates every request; no other code creates a principal. All combinations of signature carrier (header, query,
 * field of a form) and body signing are covered. An unknown key causes the same work and gets the same answer as a
 * wrong signature, so that no client learns which keys exist.
 */
import { type KeyObject, randomBytes } from "node:crypto";
import { isChecksumOfBody } from "../checksum/algorithms.ts";
import { S3Error } from "../errors.ts";
import { checkHeader, type RequestHeaders, withHeadersOfQuery } from "../request/headers.ts";
import type { RequestTarget } from "../request/target.ts";
import type { AccessKey, AccessKeyLookup } from "./access-key.ts";
import { canonicalPaths, canonicalRequest, textToSign } from "./canonical.ts";
import type { SignatureSeed } from "./chunk-signature.ts";
import { type Claim, parseTimestamp, readClaim, readFormClaim } from "./claim.ts";
import { type PayloadMode, readPayloadMode } from "./payload-mode.ts";
import { isSameSignature, type SigningKeys, sign, signVersion2 } from "./signing-key.ts";

declare const sealed: unique symbol;

/** Proof that a request was signed with this key; created only here. */
export interface Principal {
  readonly [sealed]: true;
  readonly accessKey: AccessKey;
}

export interface Authenticated {
  readonly principal: Principal;
  /** The request's headers, including those in the query of a presigned address. */
  readonly headers: RequestHeaders;
  readonly payloadMode: PayloadMode;
  /** Seed of the chain of chunk signatures. */
  readonly seed: SignatureSeed;
}

export interface AuthenticationContext {
  readonly region: string;
  readonly findAccessKey: AccessKeyLookup;
  readonly signingKeys: SigningKeys;
  readonly nowMs: number;
}

export interface SignedRequest {
  readonly method: string;
  readonly target: RequestTarget;
  readonly headers: RequestHeaders;
}

const SKEW_MS_MAX = 15 * 60_000;
const SERVICE = "s3";
const AUTHENTICATING_PARAMETERS = new Set([
  "x-amz-algorithm",
  "x-amz-credential",
  "x-amz-date",
  "x-amz-expires",
  "x-amz-signedheaders",
  "x-amz-signature",
]);

/** Replaces the secret of a key that does not exist. */
const UNKNOWN_KEY: AccessKey = {
  id: "",
  secret: randomBytes(30).toString("base64"),
  owner: "",
  permission: "read",
  buckets: [],
  isDisabled: true,
};

export async function authenticate(
  request: SignedRequest,
  context: AuthenticationContext,
): Promise<Authenticated> {
  const claim = readClaim(request.headers, request.target.query);
  if (claim === null)
    throw new S3Error("AccessDenied", "The request is not signed; anonymous access is not allowed.");
  checkScope(claim, context.region);
  checkTime(claim, context.nowMs);
  const headers =
    claim.carrier === "query"
      ? withHeadersOfQuery(request.headers, headersOfQuery(request))
      : request.headers;
  checkSignedHeaders(claim, request.headers);
  const payload = readPayloadMode(headers.get("x-amz-content-sha256"), claim.carrier);
  if (headers.get("x-amz-security-token") !== undefined) throw temporaryCredentials();
  const { timestamp, scope, signature } = claim;
  const signingKeyOf = ({ id, secret }: AccessKey) => context.signingKeys(id, secret, scope);
  const principal = await findSigner(claim, context, (key) =>
    isSignatureOf(claim, { ...request, payload: payload.word }, signingKeyOf(key)),
  );
  const signingKey = signingKeyOf(principal.accessKey);
  return {
    principal,
    headers,
    payloadMode: payload.mode,
    seed: { signingKey, timestamp, scope, signature },
  };
}

/** The signed policy has an expiry, so the time of the signature is not checked. */
export async function authenticateForm(
  fields: ReadonlyMap<string, string>,
  context: AuthenticationContext,
): Promise<Principal> {
  const claim = readFormClaim(fields);
  if (fields.has("x-amz-security-token")) throw temporaryCredentials();
  if (claim.version === 4) checkScope({ ...claim, carrier: "query" }, context.region);
  const { policy, signature } = claim;
  return await findSigner(claim, context, ({ id, secret }) => {
    if (claim.version === 2) return isSameSignature(signVersion2(secret, policy), signature);
    return isSameSignature(sign(context.signingKeys(id, secret, claim.scope), policy), signature);
  });
}

async function findSigner(
  { accessKeyId }: Pick<Claim, "accessKeyId">,
  { findAccessKey }: AuthenticationContext,
  isSignedBy: (accessKey: AccessKey) => boolean,
): Promise<Principal> {
  const found = await findAccessKey(accessKeyId);
  const accessKey = found ?? UNKNOWN_KEY;
  if (!isSignedBy(accessKey) || found === null) throw new S3Error("SignatureDoesNotMatch");
  if (accessKey.isDisabled) {
    throw new S3Error(
      "AccessDenied",
      "The access key is disabled. Ask an admin of the vault for another one.",
    );
  }
  return Object.freeze({ accessKey }) as Principal;
}

function temporaryCredentials(): S3Error {
  return new S3Error(
    "NotImplemented",
    "Temporary credentials (x-amz-security-token) are not implemented here.",
  );
}

function isSignatureOf(
  claim: Claim,
  { method, target, headers, payload }: SignedRequest & { payload: string },
  signingKey: KeyObject,
): boolean {
  return canonicalPaths(target.rawPath).some((path) => {
    const canonical = canonicalRequest({
      method,
      path,
      query: target.query.parameters,
      headers,
      signedHeaders: claim.signedHeaders,
      payload,
    });
    return isSameSignature(
      sign(signingKey, textToSign(claim.timestamp, claim.scope, canonical)),
      claim.signature,
    );
  });
}

function checkScope(
  { carrier, scope, timestamp }: Pick<Claim, "carrier" | "scope" | "timestamp">,
  region: string,
): void {
  const code = carrier === "header" ? "AuthorizationHeaderMalformed" : "AuthorizationQueryParametersError";
  if (scope.service !== SERVICE) {
    throw new S3Error(
      code,
      `The credential is for the service "${scope.service}"; it must be for "${SERVICE}".`,
    );
  }
  if (scope.region !== region) {
    throw new S3Error(code, `The region "${scope.region}" is wrong; expecting "${region}".`, {
      details: { Region: region },
    });
  }
  if (!timestamp.startsWith(`${scope.date}T`)) {
    throw new S3Error(code, "The date of the credential is not the date of the request.");
  }
}

function checkTime({ timestamp, expiresSeconds }: Claim, nowMs: number): void {
  const signedMs = parseTimestamp(timestamp);
  const describe = () => {
    return { details: { RequestTime: timestamp, ServerTime: new Date(nowMs).toISOString() } };
  };
  if (expiresSeconds === null) {
    if (Math.abs(nowMs - signedMs) <= SKEW_MS_MAX) return;
    throw new S3Error("RequestTimeTooSkewed", undefined, describe());
  }
  if (nowMs > signedMs + expiresSeconds * 1000) {
    throw new S3Error("AccessDenied", "The presigned address has expired.", describe());
  }
  if (signedMs > nowMs + SKEW_MS_MAX) {
    throw new S3Error("AccessDenied", "The presigned address is not valid yet.", describe());
  }
}

const CUSTOMER_ALGORITHM = "x-amz-server-side-encryption-customer-algorithm";
const CUSTOMER_KEY_HEADERS = [
  "x-amz-server-side-encryption-customer-key",
  "x-amz-server-side-encryption-customer-key-md5",
];

/**
 * Rejects unsigned x-amz- headers, which could change what a request does. As on AWS, a presigned address that signs
 * the algorithm of encryption with a client's key may leave the key to the client that uses it.
 */
function checkSignedHeaders({ carrier, signedHeaders }: Claim, headers: RequestHeaders): void {
  const leavesKey = carrier === "query" && signedHeaders.includes(CUSTOMER_ALGORITHM);
  const mayBeUnsigned = (name: string) => leavesKey && CUSTOMER_KEY_HEADERS.includes(name);
  const unsigned = headers.names.filter(
    (name) =>
      (name === "host" || name.startsWith("x-amz-")) && !signedHeaders.includes(name) && !mayBeUnsigned(name),
  );
  if (!signedHeaders.includes("host") && !unsigned.includes("host")) unsigned.push("host");
  if (unsigned.length === 0) return;
  throw new S3Error("AccessDenied", "There were headers present in the request which were not signed.", {
    details: { HeadersNotSigned: unsigned.join(", ") },
  });
}

/** Reads headers from the query, into which presigning clients put x-amz-meta-… headers. */
function headersOfQuery({ target }: SignedRequest): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const { name, value } of target.query.parameters) {
    const lower = name.toLowerCase();
    if (!lower.startsWith("x-amz-") || AUTHENTICATING_PARAMETERS.has(lower)) continue;
    if (isChecksumOfBody(lower)) continue;
    if (headers.has(lower))
      throw new S3Error("InvalidArgument", `The query parameter ${name} is given more than once.`);
    checkHeader(name, value);
    headers.set(lower, value);
  }
  return headers;
}
