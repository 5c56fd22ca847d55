export function deniedTitle(count: number, what: "channel" | "endpoint"): string {
  return count === 1
    ? `One ${what} is in a network that is not allowed`
    : `${count} ${what}s are in networks that are not allowed`;
}

/** The network that contains only this address. */
export function addressAlone(address: string): string {
  return `${address}/${address.includes(":") ? 128 : 32}`;
}

/** Answers stay fresh for a minute, because each request resolves the names again. */
export const deniedStaleMs = 60_000;
