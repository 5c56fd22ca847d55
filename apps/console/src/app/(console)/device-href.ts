/** Address of a drive's page, at the time in `search`. */
export const deviceHref = (search: string, node: string, device: string): string =>
  `/vaults${search}&${new URLSearchParams({ node, device }).toString()}`;
