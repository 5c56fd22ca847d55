import { StatusDot } from "@stashlight/ui/feedback";
import { type NodeStanding, standings } from "../../../../client/nodes.ts";

export function Standing({ standing }: { standing: NodeStanding }) {
  const { status, label } = standings[standing];
  return <StatusDot status={status} label={label} />;
}
