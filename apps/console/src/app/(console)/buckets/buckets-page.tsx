"use client";
import type { NodeRow } from "@stashlight/contracts/node";
import { type Role, roleIncludes } from "@stashlight/contracts/user";
import { lazyPart, UiLink } from "@stashlight/ui";
import { Badge, Skeleton } from "@stashlight/ui/feedback";
import { Page, PageHeader } from "@stashlight/ui/layout";
import { Select } from "@stashlight/ui/select";
import { useQuery } from "@tanstack/react-query";
import { Database } from "lucide-react";
import { parseAsString, useQueryStates } from "nuqs";
import { NextStep } from "../../../client/next-step.tsx";
import { usePageTitle } from "../../../client/page-title.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { QueryError } from "../query-state.tsx";
import { bucketHref } from "./bucket-href.ts";

const BucketList = lazyPart(async () => (await import("./bucket-list.tsx")).BucketList);
const BucketView = lazyPart(async () => (await import("./bucket-view.tsx")).BucketView);

const FRAME_PX = 420;
const parsers = { vault: parseAsString, bucket: parseAsString };

/** Lists a vault's buckets, and shows one with its rules, tags and encryption. */
export function BucketsPage({ role }: { role: Role }) {
  const trpc = useTRPC();
  const [place, setPlace] = useQueryStates(parsers, { history: "push" });
  const nodes = useQuery(trpc.node.list.queryOptions(undefined));
  const vaults = vaultsWithCoordinator(nodes.data ?? []);
  const vault = place.vault ?? vaults[0] ?? null;
  usePageTitle(place.bucket ?? "Buckets");
  return (
    <Page>
      <PageHeader
        title={place.bucket === null ? "Buckets" : <span className="wrap-anywhere">{place.bucket}</span>}
        description={
          place.bucket === null
            ? "A coordinator of the vault answers, and counts objects on request. The filter matches the beginning of names."
            : undefined
        }
        meta={vault !== null && place.bucket === null && <Badge>{vault}</Badge>}
        action={
          place.bucket === null &&
          vaults.length > 1 && (
            <Select
              aria-label="Vault"
              options={vaults.map((value) => ({ value, label: value }))}
              value={vault ?? ""}
              onValueChange={(value) => void setPlace({ vault: value, bucket: null })}
            />
          )
        }
      />
      {place.bucket !== null && vault !== null && (
        <nav aria-label="Place" className="-mt-3 text-base">
          <UiLink href={bucketHref(vault, null)}>Buckets of {vault}</UiLink>
        </nav>
      )}
      <Body nodes={nodes} vault={vault} bucket={place.bucket} role={role} />
    </Page>
  );
}

interface BodyProps {
  readonly nodes: {
    readonly data: NodeRow[] | undefined;
    readonly error: unknown;
    readonly isError: boolean;
    readonly refetch: () => unknown;
  };
  readonly vault: string | null;
  readonly bucket: string | null;
  readonly role: Role;
}

function Body({ nodes, vault, bucket, role }: BodyProps) {
  const fallback = <Skeleton height={FRAME_PX} />;
  if (nodes.data === undefined) {
    if (!nodes.isError) return fallback;
    return <QueryError what="The vaults" error={nodes.error} onRetry={() => void nodes.refetch()} />;
  }
  if (vault === null) return <NoCoordinator role={role} />;
  if (bucket === null) return <BucketList key={vault} vault={vault} fallback={fallback} />;
  return (
    <BucketView
      key={`${vault}/${bucket}`}
      vault={vault}
      bucket={bucket}
      fallback={fallback}
      address={findAddress(nodes.data, vault)}
      mayChange={roleIncludes(role, "operator")}
    />
  );
}

const isCoordinator = ({ role, status, isSimulated }: NodeRow): boolean =>
  role === "coordinator" && status === "active" && !isSimulated;

function vaultsWithCoordinator(nodes: readonly NodeRow[]): string[] {
  return [...new Set(nodes.filter(isCoordinator).map(({ vault }) => vault))].sort();
}

function findAddress(nodes: readonly NodeRow[], vault: string): NodeRow["s3"] {
  return nodes.find((node) => node.vault === vault && isCoordinator(node) && node.s3 !== null)?.s3 ?? null;
}

function NoCoordinator({ role }: { role: Role }) {
  return (
    <NextStep
      icon={<Database />}
      title="No coordinator to list buckets"
      step={{ label: "Enrol nodes", href: "/admin/nodes" }}
      needs={{ role: "admin", own: role }}
    >
      Only a coordinator knows the buckets of its vault, and none is enrolled and approved.
    </NextStep>
  );
}
