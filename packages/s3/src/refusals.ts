/** Messages that explain to clients why a feature is not implemented. */

export const NO_VERSIONS =
  "Versioning is not implemented: a vault keeps one version of each object, so that replaced and deleted data frees its space.";

const OWNERS_ALONE =
  "every bucket is private to its owner, and access keys decide who may read and write it. To share an object, presign its address.";

export const NO_ACCESS_LISTS = `Access lists are not implemented: ${OWNERS_ALONE}`;

export const NO_POLICIES = `Bucket policies are not implemented: ${OWNERS_ALONE}`;

export const NO_LOCKS =
  "Object lock is not implemented: nothing here keeps an object from being deleted by a key that may write.";

export const NO_KEY_SERVICE =
  "Encryption by a key service (aws:kms, aws:kms:dsse) is not implemented; use AES256, or a key that the client sends.";

export const NO_CHANGE_OF_ENCRYPTION =
  "The encryption of a stored object is not changed in place; copy the object onto itself with the new encryption.";

export const NO_DIRECTORY_BUCKETS =
  "Directory buckets, and features that AWS offers only for them, are not implemented.";

export const NO_WEBSITES = "Website hosting is not implemented.";
