/** Load of an fsync probe on a drive: shown to the requesting user, and carried out by the probe. */
export const fsyncProbePlan = {
  /** Smallest record of the log, and that of a 1 MB upload as 16+4: 62,500 bytes with its header, in whole pages. */
  recordBytes: [4_096, 65_536],
  secondsEach: 3,
  /** Overwritten repeatedly, and removed at the end. */
  fileBytes: 67_108_864,
} as const;
