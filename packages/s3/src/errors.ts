/**
 * Errors of the S3 protocol: a closed list of codes, each with its status and default message. Clients decide by the
 * code whether to retry; the message is for people.
 */
import { StashlightError } from "@stashlight/contracts/errors";

const table = {
  AccessDenied: [403, "The access key may not do this."],
  AccessForbidden: [403, "No CORS rule of the bucket allows this request."],
  AuthorizationHeaderMalformed: [400, "The authorization header is malformed."],
  AuthorizationQueryParametersError: [400, "The query parameters of the signature are malformed."],
  BadDigest: [400, "The checksum sent with the body does not match what was received."],
  BadRequest: [400, "The request is not valid HTTP."],
  BucketAlreadyExists: [409, "A bucket of this name already exists."],
  BucketAlreadyOwnedByYou: [409, "The bucket already exists and you own it."],
  BucketNotEmpty: [409, "The bucket is not empty; delete its objects first."],
  ConditionalRequestConflict: [409, "Another write of this key was in progress; try again."],
  EntityTooLarge: [400, "The body is larger than the largest allowed upload."],
  EntityTooSmall: [400, "A part other than the last is smaller than the smallest allowed part."],
  InsufficientStorage: [507, "The vault has too little free space for this. Delete objects or add capacity."],
  IllegalLocationConstraintException: [400, "The location constraint is not the region of this endpoint."],
  IncorrectNumberOfFilesInPostRequest: [400, "A form must have exactly one file."],
  IncompleteBody: [400, "The body ended before the number of bytes that its headers announced."],
  InternalError: [500, "Something failed on the server; its log has the details under this request id."],
  InvalidArgument: [400, "An argument of the request is not valid."],
  InvalidBucketName: [400, "The bucket name breaks the rules for bucket names."],
  InvalidDigest: [400, "The Content-MD5 header is not the base64 form of 16 bytes."],
  InvalidEncryptionAlgorithmError: [400, "The encryption algorithm is not valid; the valid value is AES256."],
  InvalidPart: [400, "A part of the list was not uploaded, or its ETag differs."],
  InvalidPartNumber: [416, "The object has no part with this number."],
  InvalidPolicyDocument: [400, "The policy of the form is malformed."],
  InvalidPartOrder: [400, "The parts are not listed in ascending order of their numbers."],
  InvalidRange: [416, "The range is outside the object."],
  InvalidRequest: [400, "The request is not valid."],
  InvalidStorageClass: [400, "The only storage class here is STANDARD."],
  InvalidTag: [400, "A tag is not valid."],
  InvalidURI: [400, "The address of the request cannot be parsed."],
  KeyTooLongError: [400, "The key is longer than 1,024 bytes."],
  MalformedPOSTRequest: [400, "The body is not well-formed multipart/form-data."],
  MalformedTrailerError: [400, "The trailer after the body is malformed."],
  MalformedXML: [400, "The XML of the body is malformed or does not fit the operation."],
  MaxPostPreDataLengthExceeded: [400, "The fields of the form before its file are longer than allowed."],
  MaxMessageLengthExceeded: [400, "The XML of the body is longer than allowed."],
  MetadataTooLarge: [400, "The user metadata is longer than allowed."],
  MethodNotAllowed: [405, "The method is not allowed on this resource."],
  MissingContentLength: [411, "The request needs a Content-Length header."],
  NoSuchBucket: [404, "The bucket does not exist."],
  NoSuchBucketPolicy: [404, "The bucket policy does not exist."],
  NoSuchCORSConfiguration: [404, "The CORS configuration does not exist."],
  NoSuchConfiguration: [404, "The specified configuration does not exist."],
  NoSuchLifecycleConfiguration: [404, "The lifecycle configuration does not exist."],
  NoSuchPublicAccessBlockConfiguration: [404, "The public access block configuration was not found."],
  NoSuchTagSet: [404, "The TagSet does not exist."],
  NoSuchWebsiteConfiguration: [404, "The specified bucket does not have a website configuration."],
  NoSuchKey: [404, "The key does not exist."],
  NoSuchUpload: [404, "The multipart upload does not exist; it may have been completed or aborted."],
  NotImplemented: [501, "The request asks for something that is not implemented."],
  ObjectLockConfigurationNotFoundError: [404, "Object Lock configuration does not exist for this bucket."],
  ObjectUnreadable: [
    503,
    "Too few shards of the object can be read; it can be read again when drives are back.",
  ],
  OwnershipControlsNotFoundError: [404, "The bucket ownership controls were not found."],
  PreconditionFailed: [412, "A precondition of the request does not hold."],
  ReplicationConfigurationNotFoundError: [404, "The replication configuration was not found."],
  RequestHeaderSectionTooLarge: [400, "The headers of the request are larger than allowed."],
  RequestTimeTooSkewed: [403, "The time of the request is too far from the server's."],
  RequestTimeout: [400, "The request was not received within the allowed time."],
  ServerSideEncryptionConfigurationNotFoundError: [
    404,
    "The server side encryption configuration was not found.",
  ],
  ServiceUnavailable: [503, "The service cannot answer now; try again."],
  SignatureDoesNotMatch: [
    403,
    "The access key is not known here or the signature does not match; check the key, the secret and the clock.",
  ],
  SlowDown: [
    503,
    "The vault is too busy, or too many of its nodes or drives do not answer; try again later.",
  ],
  XAmzContentSHA256Mismatch: [400, "The body does not have the SHA-256 of the header x-amz-content-sha256."],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type S3ErrorCode = keyof typeof table;

export interface S3ErrorOptions {
  readonly cause?: unknown;
  /** Additional elements of the answer's XML, such as Region. */
  readonly details?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** True if the end of the body is unknown, so the connection cannot carry another request. */
  readonly closesConnection?: boolean;
}

export class S3Error extends Error {
  override readonly name = "S3Error";
  readonly code: S3ErrorCode;
  readonly details: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly closesConnection: boolean;

  constructor(code: S3ErrorCode, message?: string, options: S3ErrorOptions = {}) {
    super(message ?? table[code][1], options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
    this.headers = options.headers ?? {};
    this.closesConnection = options.closesConnection ?? false;
  }

  get status(): number {
    return table[this.code][0];
  }
}

const codeOfStashlight = {
  invalid_input: "InvalidArgument",
  unauthenticated: "AccessDenied",
  forbidden: "AccessDenied",
  not_found: "NoSuchKey",
  conflict: "ConditionalRequestConflict",
  link_expired: "AccessDenied",
  precondition_failed: "PreconditionFailed",
  rate_limited: "SlowDown",
  internal: "InternalError",
  unavailable: "SlowDown",
  storage_full: "SlowDown",
} as const satisfies Record<StashlightError["code"], S3ErrorCode>;

/** Converts anything thrown to an S3Error. The text of an unexpected error is kept as the cause and not sent. */
export function toS3Error(thrown: unknown): S3Error {
  if (thrown instanceof S3Error) return thrown;
  if (!(thrown instanceof StashlightError)) return new S3Error("InternalError", undefined, { cause: thrown });
  const code = codeOfStashlight[thrown.code];
  const message = table[code][0] >= 500 ? undefined : thrown.message;
  const headers: Record<string, string> = {};
  if (thrown.retryAfterSeconds !== undefined)
    headers["retry-after"] = String(Math.ceil(thrown.retryAfterSeconds));
  return new S3Error(code, message, { cause: thrown, headers });
}
