/** The configurations of objects, by subresource. */
import { NO_ACCESS_LISTS, NO_CHANGE_OF_ENCRYPTION, NO_LOCKS } from "../../refusals.ts";
import {
  type Configuration,
  isOwnersAccessList,
  notSet,
  only,
  ownersAccessList,
  refuse,
} from "./configuration.ts";

const unlocked = notSet("InvalidRequest", "Bucket is missing Object Lock Configuration");

export const objectConfigurations: ReadonlyMap<string, Configuration> = new Map<string, Configuration>([
  [
    "acl",
    {
      whenUnset: ownersAccessList,
      write: { root: "AccessControlPolicy", isSo: isOwnersAccessList, refusal: NO_ACCESS_LISTS },
      remove: null,
    },
  ],
  [
    "encryption",
    {
      whenUnset: notSet("MethodNotAllowed"),
      write: refuse("ObjectEncryption", NO_CHANGE_OF_ENCRYPTION),
      remove: null,
    },
  ],
  ["legal-hold", { whenUnset: unlocked, write: only("LegalHold", "Status", "OFF", NO_LOCKS), remove: null }],
  ["retention", { whenUnset: unlocked, write: refuse("Retention", NO_LOCKS), remove: null }],
]);
