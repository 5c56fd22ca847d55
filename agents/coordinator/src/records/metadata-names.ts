/** Names in an object's metadata. Internal ones begin with a colon, which no name chosen by a client contains. */
export const CHECKSUM = ":checksum";
/** Prefix for names of content headers. */
export const HEADER = ":header:";
/** Set on objects created by a multipart upload; identifies the upload and its list of parts (CompleteUpload). */
export const COMPLETION = ":completion";
