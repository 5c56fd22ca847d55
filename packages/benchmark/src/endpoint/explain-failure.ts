/** Explains a failure in one sentence: what is wrong and what to do. */
import { StashlightError } from "@stashlight/contracts/errors";
import type { EndpointFailure } from "./failure.ts";
import { type EndpointTarget, targetHostname } from "./target.ts";

/** Endpoint failure whose message is the sentence for the user. */
export class EndpointError extends Error {
  override readonly name = "EndpointError";
  readonly failure: EndpointFailure;

  constructor(failure: EndpointFailure, target: ExplainedTarget) {
    super(describeFailure(failure, target));
    this.failure = failure;
  }
}

export type ExplainedTarget = Pick<EndpointTarget, "kind" | "url" | "bucket" | "region" | "addressing">;

/** Returns one sentence for any error that a request to this endpoint may throw. */
export function explainFailure(error: unknown, target: ExplainedTarget): string {
  if (error instanceof EndpointError) return error.message;
  if (error instanceof StashlightError && error.code !== "internal") return error.message;
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (typeof code === "string") return describeFailure({ kind: "broken", code }, target);
  return `The request to ${targetHostname(target)} failed for an unknown reason.`;
}

function describeFailure(failure: EndpointFailure, target: ExplainedTarget): string {
  const host = targetHostname(target);
  if (failure.kind === "timed-out") return `${host} did not answer in time.`;
  if (failure.kind === "broken") return sentenceOfBroken(failure.code, host, target);
  return sentenceOfAnswer(failure, host, target);
}

const UNKNOWN_AUTHORITY = new Set([
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "CERT_SIGNATURE_FAILURE",
]);

function sentenceOfBroken(code: string, host: string, { url }: ExplainedTarget): string {
  if (UNKNOWN_AUTHORITY.has(code))
    return `The certificate of ${host} is signed by an authority that is not known here; give its certificate (PEM) with the endpoint.`;
  if (code.startsWith("ERR_SSL_") || code === "EPROTO")
    return `${host} does not speak TLS on the port of ${url}; use http:// or another port.`;
  switch (code) {
    case "CERT_HAS_EXPIRED":
      return `The certificate of ${host} has expired, or this machine's clock is wrong.`;
    case "CERT_NOT_YET_VALID":
      return `The certificate of ${host} is not valid yet, or this machine's clock is wrong.`;
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return `The certificate of the server is for a name other than ${host}; correct the address, or the addressing style.`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EAI_NODATA":
      return `The name ${host} cannot be resolved; correct the address, or this machine's DNS.`;
    case "ECONNREFUSED":
      return `${host} refused the connection: no server listens on the port of ${url}.`;
    case "ETIMEDOUT":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return `${host} cannot be reached from here (${code}): a firewall, a route or the address is wrong.`;
    case "ECONNRESET":
    case "EPIPE":
      return `${host} closed the connection without an answer (${code}); a proxy, a limit of the server or the network cut it, so try again.`;
    case "NotHttp":
      return `The server at ${url} does not speak HTTP/1.1; use https:// or another port.`;
    default:
      return `The request to ${host} failed with ${/^[A-Za-z0-9_.]{1,80}$/.test(code) ? code : "an unknown error"}.`;
  }
}

function sentenceOfAnswer(failure: EndpointFailure, host: string, target: ExplainedTarget): string {
  const { code, status = 0, region, isRedirect } = failure;
  if (region !== undefined && region !== target.region && WRONG_REGION.has(code))
    return `The region is wrong: ${host} asks for "${region}", not "${target.region}".`;
  const credentialProblem = explainRefusedCredentials(failure, host);
  if (credentialProblem !== null) return credentialProblem;
  switch (code) {
    case "AuthorizationFailure":
      return "The endpoint does not authorise the request: the key is wrong, the shared access signature does not allow it, or the account's network rules refuse this address.";
    case "ContainerNotFound":
      return `There is no container "${target.bucket}" at ${host}.`;
    case "ContainerBeingDeleted":
      return `The container "${target.bucket}" is being deleted; wait, or name another one.`;
    case "BlobImmutableDueToPolicy":
    case "RetentionPolicyNotMet":
    case "ObjectUnderActiveHold":
    case "ObjectLocked":
      return `A legal hold or a retention policy on "${target.bucket}" forbids deletion; what was written stays, and is charged, until it ends.`;
    case "AccountIsDisabled":
      return "The storage account is disabled.";
    case "NoSuchBucket":
    case "NotFound":
    case "ResourceNotFound":
      return `There is no bucket "${target.bucket}" at ${host}.`;
    case "InvalidBucketName":
      return `"${target.bucket}" is not a bucket name that the endpoint accepts.`;
    case "AuthorizationHeaderMalformed":
    case "IllegalLocationConstraintException":
      return `The endpoint does not accept the region "${target.region}", and does not report the right one.`;
    case "AccessDenied":
    case "AllAccessDisabled":
    case "AuthorizationPermissionMismatch":
    case "InsufficientAccountPermissions":
    case "AccountProblem":
      return `The access key may not do this in the bucket "${target.bucket}"; it must list, read, write and delete there.`;
    case "QuotaExceeded":
    case "StorageQuotaExceeded":
      return "The endpoint's storage quota is used up.";
    case "SlowDown":
    case "ServerBusy":
    case "OperationTimedOut":
    case "ServiceUnavailable":
      return `${host} is too busy now (${status} ${code}); measure later, or with fewer connections.`;
    case "SizeMismatch":
      return `${host} answered a download with a different number of bytes than was uploaded; do not trust its figures, and check the store and any proxy in front of it.`;
    case "ContentMismatch":
    case "EtagMismatch":
      return `${host} stores or returns bytes that differ from the upload (${code}); check the store and any proxy in front of it.`;
    case "NotImplemented":
      return `${host} does not implement the request (501 NotImplemented).`;
    default:
      if (isRedirect)
        return `${host} redirects to another address, which is not followed; enter that address instead.`;
      return `${host} answered with ${status} ${code}.`;
  }
}

/** Returns null if the endpoint accepts the credentials but fails for another reason. */
function explainRefusedCredentials(failure: EndpointFailure, host: string): string | null {
  const { code, status = 0 } = failure;
  switch (code) {
    case "InvalidAccessKeyId":
      return "The access key ID is not known to the endpoint, or no longer valid.";
    case "SignatureDoesNotMatch":
      return "The endpoint does not accept the signature: the secret access key is wrong, or the access key is not known.";
    case "RequestTimeTooSkewed":
      return `${skewText(failure)}; set the clock, because a signature is valid for 15 minutes.`;
    case "InvalidAuthenticationInfo":
      return `The endpoint does not accept the signature, or the shared access signature has expired (${status} ${code}); check the account, the key and this machine's clock.`;
    case "AuthenticationFailed":
      return `The endpoint does not accept the signature: the account's key is wrong, the shared access signature has expired or is truncated, or this machine's clock is${clockText(failure)} wrong.`;
    case "InvalidToken":
      return "The endpoint does not accept the access token; the service account's key may have been disabled.";
    case "InvalidGrant":
      return `${host} does not accept the service account's key: it was deleted or disabled, or this machine's clock is wrong.`;
    case "TokenRefused":
    case "NoAccessToken":
      return `${host} gave no access token for the service account (${status} ${code}).`;
    default:
      return null;
  }
}

const WRONG_REGION = new Set([
  "AuthorizationHeaderMalformed",
  "AuthorizationQueryParametersError",
  "IllegalLocationConstraintException",
  "PermanentRedirect",
  "TemporaryRedirect",
  "SignatureDoesNotMatch",
  "Http301",
  "Http307",
  "InvalidRegion",
]);

function clockText({ clockAheadMs }: EndpointFailure): string {
  const isFar = clockAheadMs !== undefined && Math.abs(clockAheadMs) > SIGNATURE_HOLDS_MS;
  return isFar ? ` ${lengthText(Math.abs(clockAheadMs))}` : "";
}

const SIGNATURE_HOLDS_MS = 900_000;

function skewText({ clockAheadMs }: EndpointFailure): string {
  if (clockAheadMs === undefined) return "This machine's clock is too far from the endpoint's";
  const way = clockAheadMs > 0 ? "ahead of" : "behind";
  return `This machine's clock is ${lengthText(Math.abs(clockAheadMs))} ${way} the endpoint's`;
}

function lengthText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
