/** A file or a device that one measurement has to itself until it removes it. */
export interface MeasuredPlace {
  readonly path: string;
  /** The bytes that are measured begin here. */
  readonly offsetBytes: number;
  /** The beginning of the names of files that fio logs to. */
  readonly logPrefix: string;
  /** Removes what the measurement made. It waits as long as the drive takes. */
  remove(): Promise<void>;
}
