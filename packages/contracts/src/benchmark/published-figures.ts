/**
 * Upload times that others published (Backblaze, 2023: 100 uploads a run with 10 ms of pause over one connection, every
 * six hours for 12 days). They are a reference to lay beside what is measured here, and never a measurement of ours.
 */
export interface PublishedFigure {
  readonly endpoint: string;
  readonly sizeBytes: number;
  readonly meanMs: number;
}

export const publishedFiguresSource = "published 2023, 12 days of six-hourly runs";

export const publishedFigures: readonly PublishedFigure[] = [
  { endpoint: "Backblaze B2 US East", sizeBytes: 256_000, meanMs: 118 },
  { endpoint: "Backblaze B2 US East", sizeBytes: 1_000_000, meanMs: 137 },
  { endpoint: "Amazon S3 us-east-1", sizeBytes: 256_000, meanMs: 157 },
  { endpoint: "Amazon S3 us-east-1", sizeBytes: 1_000_000, meanMs: 153 },
];
