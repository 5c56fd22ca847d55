/**
 * Times published by other parties. They are a reference beside one's own measurements, and never shown as
 * Stashlight's.
 */
import type { BenchmarkOperation } from "../sample/sample.ts";

export interface PublishedFigure {
  readonly endpoint: string;
  readonly operation: BenchmarkOperation;
  readonly sizeBytes: number;
  readonly publishedMs: number;
  readonly source: PublishedSource;
}

interface PublishedSource {
  /** Source, date and method, as shown beside the figures. */
  readonly text: string;
  /** Caveat for comparisons with it; null if there is none. */
  readonly caveat: string | null;
}

/** Backblaze, 2023: 100 uploads per run with 10 ms of pause over one connection, every six hours for 12 days. */
const uploads2023: PublishedSource = {
  text: "published 2023, 12 days of six-hourly runs",
  caveat: null,
};

/**
 * The study's other headline is a restore of 10 GB in 4,000 s and 1,000 s. A hundred downloads of 100 MB at 4 s and 1 s
 * take 400 s and 100 s, so the pair fits 100 GB and is left out here.
 */
const objectbench: PublishedSource = {
  text: "objectbench, published, date not stated",
  caveat:
    "objectbench also published 4,000 s and 1,000 s for a restore of 10 GB; its times of 4 s and 1 s for 100 MB give 400 s and 100 s, so that pair only fits 100 GB.",
};

const publishedFigures: readonly PublishedFigure[] = [
  publishedUpload("Backblaze B2 US East", 256_000, 118),
  publishedUpload("Backblaze B2 US East", 1_000_000, 137),
  publishedUpload("Amazon S3 us-east-1", 256_000, 157),
  publishedUpload("Amazon S3 us-east-1", 1_000_000, 153),
  publishedDownload("Azure Blob Storage", 4000),
  publishedDownload("Google Cloud Storage", 1000),
];

function publishedUpload(endpoint: string, sizeBytes: number, publishedMs: number): PublishedFigure {
  return { endpoint, operation: "PUT", sizeBytes, publishedMs, source: uploads2023 };
}

function publishedDownload(endpoint: string, publishedMs: number): PublishedFigure {
  return { endpoint, operation: "GET", sizeBytes: 100_000_000, publishedMs, source: objectbench };
}

/** Returns the figures of one operation at one size, which alone are comparable with its measurement. */
export function findPublishedFigures(
  question: Pick<PublishedFigure, "operation" | "sizeBytes">,
): readonly PublishedFigure[] {
  return publishedFigures.filter(
    ({ operation, sizeBytes }) => operation === question.operation && sizeBytes === question.sizeBytes,
  );
}
