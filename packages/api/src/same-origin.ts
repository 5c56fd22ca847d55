/**
 * Checks the origin of a browser's request. A change must come from our own pages: its Origin is the address the page
 * was loaded from (Host) or the configured public one, and it is not marked cross-site. Requests without either header
 * do not come from a browser and carry no ambient cookies worth protecting.
 */
export function isSameOrigin(headers: Headers, publicUrl: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return false;
  const origin = headers.get("origin");
  if (origin === null) return true;
  if (origin === new URL(publicUrl).origin) return true;
  const host = headers.get("host");
  return host !== null && (origin === `http://${host}` || origin === `https://${host}`);
}
