const RFC_3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;

/**
 * Returns milliseconds since 1970 for an RFC 3339 time with up to nine fractional digits; null if the text is not such
 * a time.
 */
export function parseInstant(text: string): number | null {
  const parts = RFC_3339.exec(text);
  if (parts === null) return null;
  const [, seconds, fraction = "", zone] = parts;
  const whole = Date.parse(`${seconds}${zone}`);
  if (Number.isNaN(whole) || whole < 0) return null;
  return whole + Number(`0.${fraction}0`) * 1000;
}

/** Formats nine fractional digits of a second; at current dates a double preserves the first seven. */
export function formatInstant(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const nanos = Math.min(999_999_999, Math.round((ms - seconds * 1000) * 1e6));
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${String(nanos).padStart(9, "0")}Z`;
}
