/** Returns the first moment of an instant's calendar month (UTC) and that of the next month. */
export function calendarMonth(instant: Date): { from: Date; to: Date } {
  const [year, month] = [instant.getUTCFullYear(), instant.getUTCMonth()];
  return { from: new Date(Date.UTC(year, month, 1)), to: new Date(Date.UTC(year, month + 1, 1)) };
}

/** Formats an amount with two decimals, or more if it is below one cent. */
export function dollars(amount: number): string {
  return `$${amount >= 0.01 || amount === 0 ? amount.toFixed(2) : amount.toPrecision(2)}`;
}
