/** Explains to clients why requested features are not implemented. */

export const NO_VERSIONS =
  "Versioning is not implemented: a vault keeps one version of each object, so that replaced and deleted data frees its space.";

export const NO_ACCESS_LISTS =
  "Access lists are not implemented: every bucket is private to its owner, and access keys decide who may read and write it.";

/** The reasons by subresource. */
export const LEFT_OUT: ReadonlyMap<string, string> = new Map([
  ["versioning", NO_VERSIONS],
  ["acl", NO_ACCESS_LISTS],
  ["policy", NO_ACCESS_LISTS],
  ["policyStatus", NO_ACCESS_LISTS],
  ["ownershipControls", NO_ACCESS_LISTS],
  ["publicAccessBlock", NO_ACCESS_LISTS],
]);
