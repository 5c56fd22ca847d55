/** What an fsync probe does to a drive: told to whoever asks for it, and done by the probe. */
export const fsyncProbePlan = {
  /** The smallest record of the log, and that of a 1 MB upload as 16+4: 62,500 bytes with its header, in whole pages. */
  recordBytes: [4_096, 65_536],
  secondsEach: 3,
  /** Written over and over, and removed at the end. */
  fileBytes: 67_108_864,
} as const;
