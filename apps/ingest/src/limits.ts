/** All limits of the ingest in one place, so that a test can narrow them. */
export interface Limits {
  /** Limit on a batch as received. The batch of a node with a hundred series is about 15 kB. */
  readonly batchBytesMax: number;
  /** Limit on a decompressed batch. */
  readonly decodedBytesMax: number;
  readonly enrolmentBytesMax: number;
  /** Limit on sampled uploads as received: 64 of them are about 20 kB. */
  readonly tracesBytesMax: number;
  /** Limit on sampled uploads when decompressed, about 200 kB. */
  readonly decodedTracesBytesMax: number;
  /** Limit on a probe's request for a job, also decompressed: 200 drives are about 20 kB at most. */
  readonly askBytesMax: number;
  /** Limit on a probe's measurements as received: 5,000 samples are about 300 kB. */
  readonly reportBytesMax: number;
  /** Limit on a probe's measurements when decompressed. */
  readonly decodedReportBytesMax: number;
  /** Limit on the locations of eight objects' shards, each with at most a thousand copies of about 130 bytes. */
  readonly objectAnswersBytesMax: number;
  /** Limit on four answers about buckets, the longest with 50 rules: 700 kB. */
  readonly bucketAnswersBytesMax: number;
  /** Memory for the cached names of nodes' series: about 300 bytes per series. */
  readonly seriesMemoryBytesMax: number;
  /** Limit on all batches that are being read or are waiting to be committed. */
  readonly waitingBytesMax: number;
  /** A node with a backlog sends six batches per window: with windows of 5 s, a quarter of what this allows. */
  readonly batchesPerNode: BucketRule;
  /** One request per window; a window is at least a second long. */
  readonly tracesPerNode: BucketRule;
  /** Requests and reports of a probe: once a second, and faster when it delivers its backlog. */
  readonly jobsPerNode: BucketRule;
  /** A coordinator requests access keys every three seconds, and once more when it starts. */
  readonly accessKeysPerNode: BucketRule;
  /** A coordinator polls every two seconds, and at once when it has an answer. */
  readonly objectQuestionsPerNode: BucketRule;
  /** A coordinator polls every two seconds, and at once when it has an answer. */
  readonly bucketQuestionsPerNode: BucketRule;
  /** Limit on wrong keys from one address; each costs a database query. */
  readonly wrongKeysPerAddress: BucketRule;
  /** Time for which a batch waits for others to be committed with it. */
  readonly gatherMs: number;
  readonly batchesPerCommitMax: number;
  readonly commitsAtOnceMax: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly timeoutsCheckedEveryMs: number;
}

export interface BucketRule {
  readonly perSecond: number;
  readonly burst: number;
}

const MEBIBYTE = 1_048_576;

export const defaultLimits: Limits = {
  batchBytesMax: 2 * MEBIBYTE,
  decodedBytesMax: 8 * MEBIBYTE,
  enrolmentBytesMax: 16_384,
  tracesBytesMax: MEBIBYTE / 2,
  decodedTracesBytesMax: 2 * MEBIBYTE,
  askBytesMax: 65_536,
  reportBytesMax: MEBIBYTE,
  decodedReportBytesMax: 8 * MEBIBYTE,
  objectAnswersBytesMax: 2 * MEBIBYTE,
  bucketAnswersBytesMax: 4 * MEBIBYTE,
  seriesMemoryBytesMax: 64 * MEBIBYTE,
  waitingBytesMax: 128 * MEBIBYTE,
  batchesPerNode: { perSecond: 5, burst: 60 },
  tracesPerNode: { perSecond: 1, burst: 20 },
  jobsPerNode: { perSecond: 10, burst: 120 },
  accessKeysPerNode: { perSecond: 2, burst: 20 },
  objectQuestionsPerNode: { perSecond: 2, burst: 20 },
  bucketQuestionsPerNode: { perSecond: 2, burst: 20 },
  wrongKeysPerAddress: { perSecond: 5, burst: 60 },
  gatherMs: 10,
  batchesPerCommitMax: 256,
  commitsAtOnceMax: 2,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  timeoutsCheckedEveryMs: 1_000,
};
