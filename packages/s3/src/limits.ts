/** Limits on every size and time that a client controls, and the defaults. */
export interface S3Limits {
  /** Request line and headers together. */
  readonly headerBytesMax: number;
  /** Names and values of x-amz-meta- headers. */
  readonly userMetadataBytesMax: number;
  /** Values of Content-Type, Cache-Control and the like together. */
  readonly contentHeaderBytesMax: number;
  /** One PUT, one part, or one copied object. */
  readonly uploadBytesMax: number;
  /** Bodies up to this size are passed to the store whole, after their check; larger ones as a stream. */
  readonly smallUploadBytesMax: number;
  readonly xmlBytesMax: number;
  /** Everything in a form except its file: fields, their headers, and fields after the file. AWS has the same limit. */
  readonly formFieldBytesMax: number;
  readonly signedChunkBytesMax: number;
  readonly trailerBytesMax: number;
  readonly partCountMax: number;
  /** Applies to every part but the last. */
  readonly partBytesMin: number;
  readonly deletedKeyCountMax: number;
  readonly listedKeyCountMax: number;
  /** Time by which the headers of a request must have arrived. */
  readonly headersTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  /** Longest silence within a body, and longest stall of a client that reads an answer. */
  readonly idleTimeoutMs: number;
  /** Slowest rate of a body, measured after the grace period and only while waiting for the client. */
  readonly bodyBytesPerSecondMin: number;
  readonly slowBodyGraceMs: number;
  /**
   * A copy or completion that takes longer is answered with blanks until its result is ready, so that the client keeps
   * waiting.
   */
  readonly silentMsMax: number;
  readonly blankEveryMs: number;
  /** Time for which a dropped connection is still read, so that the client sees the answer rather than a reset. */
  readonly lingerMs: number;
  readonly lingerBytesMax: number;
}

const MIB = 1_048_576;

export const defaultLimits: S3Limits = {
  headerBytesMax: 16_384,
  userMetadataBytesMax: 2048,
  contentHeaderBytesMax: 4096,
  uploadBytesMax: 5120 * MIB,
  smallUploadBytesMax: MIB,
  xmlBytesMax: 4 * MIB,
  formFieldBytesMax: 20_480,
  signedChunkBytesMax: 16 * MIB,
  trailerBytesMax: 1024,
  partCountMax: 10_000,
  partBytesMin: 5 * MIB,
  deletedKeyCountMax: 1000,
  listedKeyCountMax: 1000,
  headersTimeoutMs: 20_000,
  keepAliveTimeoutMs: 60_000,
  idleTimeoutMs: 30_000,
  bodyBytesPerSecondMin: 4096,
  slowBodyGraceMs: 30_000,
  silentMsMax: 1000,
  blankEveryMs: 5000,
  lingerMs: 2000,
  lingerBytesMax: 32 * MIB,
};
