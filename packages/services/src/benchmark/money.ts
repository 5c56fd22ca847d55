/** The calendar month (UTC) of an instant: its first moment and that of the next one. */
export function monthOf(instant: Date): { from: Date; to: Date } {
  const [year, month] = [instant.getUTCFullYear(), instant.getUTCMonth()];
  return { from: new Date(Date.UTC(year, month, 1)), to: new Date(Date.UTC(year, month + 1, 1)) };
}

/** Two places, more where it is less than a cent. */
export function dollars(amount: number): string {
  return `$${amount >= 0.01 || amount === 0 ? amount.toFixed(2) : amount.toPrecision(2)}`;
}
