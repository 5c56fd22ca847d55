/** File or device reserved for one measurement until the measurement removes it. */
export interface MeasuredPlace {
  readonly path: string;
  readonly offsetBytes: number;
  /** Prefix of the names of fio's log files. */
  readonly logPrefix: string;
  /** Removes the measurement's files. Waits for the drive without a limit. */
  remove(): Promise<void>;
}
