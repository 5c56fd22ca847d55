/** File or device that one measurement has to itself until it removes it. */
export interface MeasuredPlace {
  readonly path: string;
  readonly offsetBytes: number;
  /** Prefix of the names of fio's log files. */
  readonly logPrefix: string;
  /** Removes the measurement's files. Waits as long as the drive takes. */
  remove(): Promise<void>;
}
