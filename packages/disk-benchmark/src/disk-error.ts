/** Reason why a drive cannot be measured, in one sentence that names the allowed values. */
export class DiskError extends Error {
  override readonly name = "DiskError";
}
