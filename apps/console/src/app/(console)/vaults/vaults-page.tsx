"use client";
import type { NodeRow } from "@stashlight/contracts/node";
import type { Role } from "@stashlight/contracts/user";
import { lazyPart, UiLink } from "@stashlight/ui";
import { Skeleton } from "@stashlight/ui/feedback";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { VaultInView } from "../../../client/metrics/vault-in-view.tsx";
import { usePageTitle } from "../../../client/page-title.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { MetricPage } from "../charts/metric-page.tsx";
import { QueryError } from "../query-state.tsx";
import { findPlace, type Place, type PlaceNames, placeVault } from "./fleet.ts";
import { usePlaceHref, usePlaceNames } from "./use-place.ts";

// Loads only the code of the place that is shown.
const NoNodes = lazyPart(async () => (await import("./no-place.tsx")).NoNodes);
const NoPlace = lazyPart(async () => (await import("./no-place.tsx")).NoPlace);
const FleetView = lazyPart(async () => (await import("./fleet-view.tsx")).FleetView);
const VaultView = lazyPart(async () => (await import("./vault-view.tsx")).VaultView);
const NodeView = lazyPart(async () => (await import("./node-view.tsx")).NodeView);
const DeviceView = lazyPart(async () => (await import("./device-view.tsx")).DeviceView);

/** Polling interval, equal to that of the silences and of the map beside these nodes. */
const REFETCH_MS = 5_000;

/** The fleet, a vault, a node or a drive, in one frame and with one time range. */
export function VaultsPage({ description, role }: { description: ReactNode; role: Role }) {
  const names = usePlaceNames();
  const title = placeTitle(names);
  usePageTitle(title);
  return (
    <MetricPage
      title={title}
      description={title === fleetTitle ? description : undefined}
      hasScope={names.vault === null && names.node === null}
    >
      <Body role={role} />
    </MetricPage>
  );
}

const fleetTitle = "Vaults";

/** Title from the URL, so that it is shown before anything has loaded. */
const placeTitle = ({ vault, node, device }: PlaceNames): string => {
  if (node !== null) return device === null ? node : `${device} of ${node}`;
  return vault ?? fleetTitle;
};

function Body({ role }: { role: Role }) {
  const trpc = useTRPC();
  const names = usePlaceNames();
  const nodes = useQuery(trpc.node.list.queryOptions(undefined, { refetchInterval: REFETCH_MS }));
  if (nodes.data === undefined) {
    if (nodes.isError) {
      return <QueryError what="The nodes" error={nodes.error} onRetry={() => void nodes.refetch()} />;
    }
    return <Skeleton height={320} />;
  }
  if (nodes.data.length === 0) return <NoNodes role={role} fallback={<Skeleton height={320} />} />;
  const place = findPlace(names, nodes.data);
  return (
    <>
      <Trail place={place} />
      <VaultInView vault={placeVault(place)}>
        <PlaceView key={placeKey(place)} place={place} nodes={nodes.data} role={role} />
      </VaultInView>
    </>
  );
}

/** React key of a place, so that data of the previous one is not shown while the next loads. */
const placeKey = (place: Place): string => {
  if (place.kind === "vault") return place.vault;
  if (place.kind === "node") return place.node.id;
  return place.kind === "device" ? `${place.node.id} ${place.device}` : place.kind;
};

function PlaceView({ place, nodes, role }: { place: Place; nodes: readonly NodeRow[]; role: Role }) {
  const fallback = <Skeleton height={320} />;
  if (place.kind === "fleet") return <FleetView nodes={nodes} fallback={fallback} />;
  if (place.kind === "vault") {
    return <VaultView nodes={place.nodes} isWhole={isWhole(place.nodes, nodes)} fallback={fallback} />;
  }
  if (place.kind === "node") return <NodeView node={place.node} fallback={fallback} />;
  if (place.kind === "device") {
    return <DeviceView node={place.node} device={place.device} role={role} fallback={fallback} />;
  }
  return <NoPlace name={place.name} fallback={fallback} />;
}

/** True if every node belongs to the vault, so that its figures need no restriction to nodes. */
const isWhole = (ofVault: readonly NodeRow[], all: readonly NodeRow[]) =>
  ofVault.length === all.filter(({ status }) => status !== "revoked").length;

const PLACE_KINDS = ["vault", "node", "device"];

/** Names of the vault, the node and the drive that lead to a place. */
function namesTo(place: Place): string[] {
  if (place.kind === "vault") return [place.vault];
  if (place.kind !== "node" && place.kind !== "device") return [];
  const { vault, name } = place.node;
  return place.kind === "node" ? [vault, name] : [vault, name, place.device];
}

function Trail({ place }: { place: Place }) {
  const href = usePlaceHref();
  const names = namesTo(place);
  const hrefOf = (count: number) =>
    href(Object.fromEntries(names.slice(0, count).map((name, at) => [PLACE_KINDS[at], name])));
  if (names.length === 0) return null;
  return (
    <nav aria-label="Place" className="-mt-3">
      <ol className="flex flex-wrap items-center gap-x-2 gap-y-1 text-base">
        {["All vaults", ...names].map((label, index) => (
          <li key={hrefOf(index)} className="flex items-center gap-2">
            {index > 0 && (
              <span aria-hidden="true" className="text-faint">
                /
              </span>
            )}
            {index === names.length ? (
              <span aria-current="page" className="font-medium text-ink">
                {label}
              </span>
            ) : (
              <UiLink href={hrefOf(index)}>{label}</UiLink>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
