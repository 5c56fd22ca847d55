import type { FoundObject, LocatedShard, ObjectLocation } from "@stashlight/contracts/object-location";
import { Bytes } from "@stashlight/ui/data";
import { Callout, StatusDot } from "@stashlight/ui/feedback";
import Link from "next/link";
import { FigureTable } from "../planner/figure-table.tsx";
import { describeDurability, partListed, type ShardState, shardsOfObject } from "./shards.ts";

interface VaultAnswerProps {
  readonly vault: string;
  readonly location: Exclude<ObjectLocation, { type: "absent" }>;
  /** Called when the reader follows a link to a drive. */
  readonly onLeave: () => void;
}

export function VaultAnswer({ vault, location, onLeave }: VaultAnswerProps) {
  return (
    <section aria-label={`Vault ${vault}`} className="flex flex-col gap-2">
      <h3 className="font-medium">{vault}</h3>
      {location.type === "unknown" ? (
        <Callout status="warning">{location.reason}</Callout>
      ) : (
        <Found vault={vault} found={location} onLeave={onLeave} />
      )}
    </section>
  );
}

const states: Record<ShardState, "good" | "warning" | "bad"> = {
  durable: "good",
  "not durable": "warning",
  "not found": "bad",
};

interface FoundProps extends Pick<VaultAnswerProps, "vault" | "onLeave"> {
  readonly found: FoundObject;
}

function Found({ vault, found, onLeave }: FoundProps) {
  const { durableShardCount, shardCount, dataShardCount, sizeBytes, silentNodes } = found;
  const part = partListed(found);
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StatusDot
          status={describeDurability(found)}
          label={`${durableShardCount} of ${shardCount} shards are durable; any ${dataShardCount} restore it.`}
        />
        <span className="text-muted">
          <Bytes value={sizeBytes} />
        </span>
      </p>
      {part !== null && <p className="text-muted">{part}</p>}
      {silentNodes.length > 0 && (
        <Callout status="warning">
          {silentNodes.join(", ")} did not answer; its copies are not listed and count as not durable.
        </Callout>
      )}
      <FigureTable
        label={`Shards in ${vault}`}
        columns={["Shard", "State", "Copies"]}
        endsInWords
        rows={shardsOfObject(found).map(({ index, state, copies }) => ({
          name: `${index}`,
          cells: [
            <StatusDot key="state" status={states[state]} label={state} />,
            <Copies key="copies" vault={vault} copies={copies} onLeave={onLeave} />,
          ],
        }))}
      />
    </>
  );
}

interface CopiesProps extends Pick<VaultAnswerProps, "vault" | "onLeave"> {
  readonly copies: readonly LocatedShard[];
}

function Copies({ vault, copies, onLeave }: CopiesProps) {
  if (copies.length === 0) return "No node that answered holds it.";
  return (
    <ul>
      {copies.map(({ tier, node, device, isDurable }) => (
        <li key={`${node} ${device}`} className="wrap-anywhere">
          {tier}{" "}
          <Link
            href={`/vaults?${new URLSearchParams({ vault, node, device })}`}
            prefetch={false}
            onClick={onLeave}
            className="text-accent-ink underline"
          >
            {node} / {device}
          </Link>
          , {isDurable ? "durable" : "not synced yet"}
        </li>
      ))}
    </ul>
  );
}
