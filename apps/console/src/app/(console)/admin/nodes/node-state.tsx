import { StatusDot } from "@stashlight/ui/feedback";
import { type NodeState, nodeStates } from "../../../../client/nodes.ts";

export function NodeStateChip({ state }: { state: NodeState }) {
  const { status, label } = nodeStates[state];
  return <StatusDot status={status} label={label} />;
}
