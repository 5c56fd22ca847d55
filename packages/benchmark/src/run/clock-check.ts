/** Compares this machine's UTC with the endpoint's, by the Date header of an answer. */
export interface ClockCheck {
  /** This machine's clock minus the endpoint's. */
  readonly offsetMs: number;
  /** Uncertainty: the header has whole seconds, and the answer took time to arrive. */
  readonly uncertaintyMs: number;
}

export function checkClock(
  headers: ReadonlyMap<string, string>,
  sentMs: number,
  receivedMs: number,
): ClockCheck | null {
  const dateMs = Date.parse(headers.get("date") ?? "");
  if (Number.isNaN(dateMs)) return null;
  const middleMs = (sentMs + receivedMs) / 2;
  return { offsetMs: middleMs - (dateMs + 500), uncertaintyMs: 500 + (receivedMs - sentMs) / 2 };
}
