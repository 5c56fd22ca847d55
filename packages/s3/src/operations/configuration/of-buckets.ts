/**
 * The configurations of buckets, by subresource. CORS rules, lifecycle rules and tags can be set freely, the others
 * only to the state that every bucket has anyway; such a write is stored, because tools read back their settings.
 */

import { LIFECYCLE_ROOT, readLifecycleRules } from "../../lifecycle/read-rules.ts";
import { writeLifecycleRules } from "../../lifecycle/write-rules.ts";
import { NO_ACCESS_LISTS, NO_LOCKS, NO_POLICIES, NO_VERSIONS, NO_WEBSITES } from "../../refusals.ts";
import { BUCKET_TAGS, readTagging, TAGGING_ROOT, writeTagging } from "../../tags/tags.ts";
import { element, xmlDocument } from "../../xml/write.ts";
import { BUCKET_ENCRYPTION, checkBucketEncryption } from "./bucket-encryption.ts";
import {
  anyDocument,
  type Configuration,
  document,
  empty,
  isOwnersAccessList,
  notSet,
  only,
  ownersAccessList,
  refuse,
} from "./configuration.ts";
import { CORS_BYTES_MAX, CORS_ROOT, readCorsRules, writeCorsRules } from "./cors-rules.ts";

const BLOCKS = ["BlockPublicAcls", "IgnorePublicAcls", "BlockPublicPolicy", "RestrictPublicBuckets"];

/** A feature that a bucket may configure several times, each with an id; its lists are empty. */
function listed(list: string, root: string, feature: string): Configuration {
  return {
    whenUnset: document(list, element("IsTruncated", false)),
    whenNoSuchId: "NoSuchConfiguration",
    write: refuse(root, `${feature} not implemented.`),
    remove: "NoSuchConfiguration",
  };
}

export const bucketConfigurations: ReadonlyMap<string, Configuration> = new Map<string, Configuration>([
  [
    "abac",
    {
      whenUnset: document("AbacStatus", element("Status", "Disabled")),
      write: only("AbacStatus", "Status", "Disabled", "Access by tags is not implemented."),
      remove: null,
    },
  ],
  [
    "accelerate",
    {
      whenUnset: document("AccelerateConfiguration"),
      write: {
        ...only("AccelerateConfiguration", "Status", "Suspended", "There is no accelerated endpoint."),
        keep: () => xmlDocument("AccelerateConfiguration", element("Status", "Suspended")),
      },
      remove: null,
    },
  ],
  [
    "acl",
    {
      whenUnset: ownersAccessList,
      write: { root: "AccessControlPolicy", isSo: isOwnersAccessList, refusal: NO_ACCESS_LISTS },
      remove: null,
    },
  ],
  ["analytics", listed("ListBucketAnalyticsConfigurationResult", "AnalyticsConfiguration", "Analytics are")],
  [
    "cors",
    {
      whenUnset: notSet("NoSuchCORSConfiguration"),
      write: {
        ...anyDocument(CORS_ROOT, (body) => writeCorsRules(readCorsRules(body))),
        bytesMax: CORS_BYTES_MAX,
      },
      remove: "no content",
    },
  ],
  [
    BUCKET_ENCRYPTION.name,
    {
      whenUnset: notSet("ServerSideEncryptionConfigurationNotFoundError"),
      write: {
        root: BUCKET_ENCRYPTION.root,
        // The reader refuses every other request.
        isSo: () => true,
        refusal: "",
        keep: (body) => {
          checkBucketEncryption(body);
          return BUCKET_ENCRYPTION.document;
        },
      },
      remove: "no content",
    },
  ],
  [
    "intelligent-tiering",
    listed(
      "ListBucketIntelligentTieringConfigurationsOutput",
      "IntelligentTieringConfiguration",
      "Storage tiers are",
    ),
  ],
  ["inventory", listed("ListInventoryConfigurationsResult", "InventoryConfiguration", "Inventories are")],
  [
    "lifecycle",
    {
      whenUnset: notSet("NoSuchLifecycleConfiguration"),
      write: anyDocument(LIFECYCLE_ROOT, (body) => writeLifecycleRules(readLifecycleRules(body))),
      remove: "no content",
      // There are no transitions, so AWS's default applies to all; Terraform reads it back.
      replyHeaders: { "x-amz-transition-default-minimum-object-size": "all_storage_classes_128K" },
    },
  ],
  [
    "logging",
    {
      whenUnset: document("BucketLoggingStatus"),
      write: empty("BucketLoggingStatus", "Access logs in a bucket are not implemented."),
      remove: null,
    },
  ],
  ["metrics", listed("ListMetricsConfigurationsResult", "MetricsConfiguration", "Metrics of a bucket are")],
  [
    "notification",
    {
      whenUnset: document("NotificationConfiguration"),
      write: empty("NotificationConfiguration", "Notifications are not implemented."),
      remove: null,
    },
  ],
  [
    "object-lock",
    {
      whenUnset: notSet("ObjectLockConfigurationNotFoundError"),
      write: refuse("ObjectLockConfiguration", NO_LOCKS),
      remove: null,
    },
  ],
  [
    "ownershipControls",
    {
      whenUnset: notSet("OwnershipControlsNotFoundError"),
      write: {
        root: "OwnershipControls",
        isSo: (body) => {
          const rules = body.children("Rule");
          return rules.length === 1 && rules[0]?.text("ObjectOwnership") === "BucketOwnerEnforced";
        },
        refusal: NO_ACCESS_LISTS,
        keep: () =>
          xmlDocument(
            "OwnershipControls",
            element("Rule", element("ObjectOwnership", "BucketOwnerEnforced")),
          ),
      },
      remove: "no content",
    },
  ],
  [
    "policy",
    {
      whenUnset: notSet("NoSuchBucketPolicy"),
      write: refuse(null, NO_POLICIES),
      remove: "no content",
    },
  ],
  ["policyStatus", { whenUnset: notSet("NoSuchBucketPolicy"), write: null, remove: null }],
  [
    "publicAccessBlock",
    {
      whenUnset: notSet("NoSuchPublicAccessBlockConfiguration"),
      write: {
        root: "PublicAccessBlockConfiguration",
        isSo: (body) => BLOCKS.every((name) => body.text(name)?.trim().toLowerCase() === "true"),
        refusal: "Public access is always blocked, so each of the four settings must be true.",
        keep: () =>
          xmlDocument("PublicAccessBlockConfiguration", ...BLOCKS.map((name) => element(name, true))),
      },
      remove: "no content",
    },
  ],
  [
    "replication",
    {
      whenUnset: notSet("ReplicationConfigurationNotFoundError"),
      write: refuse("ReplicationConfiguration", "Replication is not implemented."),
      remove: "no content",
    },
  ],
  [
    "requestPayment",
    {
      whenUnset: document("RequestPaymentConfiguration", element("Payer", "BucketOwner")),
      write: only("RequestPaymentConfiguration", "Payer", "BucketOwner", "The owner pays for every request."),
      remove: null,
    },
  ],
  [
    "tagging",
    {
      whenUnset: notSet("NoSuchTagSet"),
      write: anyDocument(TAGGING_ROOT, (body) => {
        const tags = readTagging(body, BUCKET_TAGS);
        return tags.length === 0 ? null : writeTagging(tags);
      }),
      remove: "no content",
    },
  ],
  [
    "versioning",
    {
      whenUnset: document("VersioningConfiguration"),
      write: {
        root: "VersioningConfiguration",
        isSo: (body) =>
          body.text("Status")?.trim() === "Suspended" &&
          (body.text("MfaDelete") ?? "Disabled") === "Disabled",
        refusal: NO_VERSIONS,
        keep: () => xmlDocument("VersioningConfiguration", element("Status", "Suspended")),
      },
      remove: null,
    },
  ],
  [
    "website",
    {
      whenUnset: notSet("NoSuchWebsiteConfiguration"),
      write: refuse("WebsiteConfiguration", NO_WEBSITES),
      remove: "no content",
    },
  ],
]);
