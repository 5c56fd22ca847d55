import type { NodeRow } from "@stashlight/contracts/node";
import { UiLink } from "@stashlight/ui";
import { CopyableId } from "@stashlight/ui/data";
import { bucketHref } from "../buckets/bucket-href.ts";

/** S3 addresses of the active coordinators that have reported one, and a link to the buckets. */
export function S3Addresses({
  nodes,
}: {
  nodes: readonly Pick<NodeRow, "name" | "vault" | "status" | "s3">[];
}) {
  const served = nodes.flatMap(({ name, status, s3 }) =>
    s3 === null || status !== "active" ? [] : [{ name, ...s3 }],
  );
  if (served.length === 0) return null;
  return (
    <dl className="flex flex-wrap items-baseline gap-x-6 gap-y-1 text-base">
      {served.map(({ name, url, region }) => (
        <div key={name} className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <dt className="text-faint">{served.length === 1 ? "S3 address" : `S3 address of ${name}`}</dt>
          <dd className="flex min-w-0 flex-wrap items-baseline gap-x-2">
            <CopyableId value={url} label="S3 address" />
            <span className="whitespace-nowrap text-faint">region {region}</span>
          </dd>
        </div>
      ))}
      <div className="flex items-baseline gap-2">
        <dt className="text-faint">Buckets</dt>
        <dd>
          <UiLink href={bucketHref(nodes[0]?.vault ?? "", null)}>View buckets</UiLink>
        </dd>
      </div>
    </dl>
  );
}
