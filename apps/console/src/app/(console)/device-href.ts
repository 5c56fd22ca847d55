/** The page of a drive, at the time that `search` names. */
export const deviceHref = (search: string, node: string, device: string): string =>
  `/vaults${search}&${new URLSearchParams({ node, device }).toString()}`;
