export {
  type AccessKeyPermission,
  type AccessKeyRow,
  accessKeyIdInput,
  accessKeyPermissions,
  accessKeysAnswerWithinMs,
  accessKeysAskedEveryMs,
  accessKeysPerVaultMax,
  createAccessKeyInput,
  deleteAccessKeyInput,
  disableAccessKeyInput,
  type IssuedAccessKey,
  type ServedAccessKey,
  type ServedAccessKeys,
  servedAccessKeysSchema,
  updateAccessKeyInput,
} from "./access-key.ts";
export { accessKeyEffectSeconds } from "./limits.ts";
