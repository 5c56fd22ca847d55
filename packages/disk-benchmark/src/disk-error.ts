/** Why a drive cannot be measured, in one sentence that says what is allowed. */
export class DiskError extends Error {
  override readonly name = "DiskError";
}
