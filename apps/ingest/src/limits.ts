/** What the ingest takes from whom: all bounds in one place, so that a test can narrow them. */
export interface Limits {
  /** The limit for a batch as it comes. The batch of a node with a hundred series is about 15 kB. */
  readonly batchBytesMax: number;
  /** The limit for a batch once it is decompressed. */
  readonly decodedBytesMax: number;
  readonly enrolmentBytesMax: number;
  /** The limit for sampled uploads as they come: 64 of them are about 20 kB. */
  readonly tracesBytesMax: number;
  /** The limit for the same once they are decompressed, about 200 kB. */
  readonly decodedTracesBytesMax: number;
  /** The limit for a probe's question for a job, also decompressed: 200 drives are about 20 kB at most. */
  readonly askBytesMax: number;
  /** The limit for what a probe measured, as it comes: 5,000 samples are about 300 kB. */
  readonly reportBytesMax: number;
  /** The limit for the same once it is decompressed. */
  readonly decodedReportBytesMax: number;
  /** The limit for where the shards of eight objects are, each with at most a thousand copies of about 130 bytes. */
  readonly objectAnswersBytesMax: number;
  /** The limit for four answers about buckets, of which one with 50 rules is the longest: 700 kB. */
  readonly bucketAnswersBytesMax: number;
  /** Memory for the remembered names of nodes' series: about 300 bytes a series. */
  readonly seriesMemoryBytesMax: number;
  /** The limit for all batches together that are being read or wait to be committed. */
  readonly waitingBytesMax: number;
  /** A node that was away brings what it kept at five times the usual pace; this is more than twice of that. */
  readonly batchesPerNode: BucketRule;
  /** One a window, of which each is at least a second long. */
  readonly tracesPerNode: BucketRule;
  /** What a probe asks and reports: once a second, and faster when it brings what it kept. */
  readonly jobsPerNode: BucketRule;
  /** A coordinator asks for access keys every three seconds, and once more when it starts. */
  readonly accessKeysPerNode: BucketRule;
  /** A coordinator asks every two seconds, and at once when it has an answer. */
  readonly objectQuestionsPerNode: BucketRule;
  /** A coordinator asks every two seconds, and at once when it has an answer. */
  readonly bucketQuestionsPerNode: BucketRule;
  /** Wrong keys from one address, each of which costs a look into the database. */
  readonly wrongKeysPerAddress: BucketRule;
  /** How long a batch waits for others to be committed with. */
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
