import { StatusDot } from "@stashlight/ui/feedback";
import { type NodeState, nodeStates } from "../../../../client/nodes.ts";

export function NodeStateChip({ standing }: { standing: NodeState }) {
  const { status, label } = nodeStates[standing];
  return <StatusDot status={status} label={label} />;
}
