/**
 * Names of entries of an object's metadata. The product's own begin with a colon, which no name that a client chose
 * contains.
 */
export const CHECKSUM = ":checksum";
/** Begins the names of content headers. */
export const HEADER = ":header:";
/**
 * An object made by a multipart upload has it: it identifies the upload and the list of its parts (CompleteUpload).
 */
export const COMPLETION = ":completion";
