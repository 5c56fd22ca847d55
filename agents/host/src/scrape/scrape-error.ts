/** Reason why a scraped store's answer is missing or unusable. */
export type ScrapeFailure =
  | "address"
  | "credentials"
  | "unreachable"
  | "timeout"
  | "status"
  | "wrong-type"
  | "too-large"
  | "malformed"
  | "nothing-known";

export class ScrapeError extends Error {
  override readonly name = "ScrapeError";
  readonly reason: ScrapeFailure;

  constructor(reason: ScrapeFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}
