/** What the ingest takes from whom: all bounds in one place, so that a test can narrow them. */
export interface Limits {
  /** Of a batch as it comes. The batch of a node with a hundred series is about 15 kB. */
  readonly batchBytesMax: number;
  /** Of a batch once it is decompressed. */
  readonly decodedBytesMax: number;
  readonly enrolmentBytesMax: number;
  /** Of sampled uploads as they come: 64 of them are about 20 kB. */
  readonly tracesBytesMax: number;
  /** Of the same once they are decompressed, about 200 kB. */
  readonly decodedTracesBytesMax: number;
  /** Of what a probe says when it asks for a job, also decompressed: 200 drives are about 20 kB at most. */
  readonly askBytesMax: number;
  /** Of what a probe measured, as it comes: 5,000 samples are about 300 kB. */
  readonly reportBytesMax: number;
  /** Of the same once it is decompressed. */
  readonly decodedReportBytesMax: number;
  /** Names of nodes' series that are remembered, each about 150 bytes. */
  readonly seriesRememberedMax: number;
  /** Of all batches together that are being read or wait to be committed. */
  readonly waitingBytesMax: number;
  /** A node that was away brings what it kept at five times the usual pace; this is more than twice of that. */
  readonly batchesPerNode: BucketRule;
  /** One a window, of which each is at least a second long. */
  readonly tracesPerNode: BucketRule;
  /** What a probe asks and reports: once a second, and faster when it brings what it kept. */
  readonly jobsPerNode: BucketRule;
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
  seriesRememberedMax: 500_000,
  waitingBytesMax: 128 * MEBIBYTE,
  batchesPerNode: { perSecond: 5, burst: 60 },
  tracesPerNode: { perSecond: 1, burst: 20 },
  jobsPerNode: { perSecond: 10, burst: 120 },
  wrongKeysPerAddress: { perSecond: 5, burst: 60 },
  gatherMs: 10,
  batchesPerCommitMax: 256,
  commitsAtOnceMax: 2,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  timeoutsCheckedEveryMs: 1_000,
};
