/** True if this machine knows the zone: "UTC", or a name such as "Europe/Berlin". */
export function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    return true;
  } catch {
    return false;
  }
}
