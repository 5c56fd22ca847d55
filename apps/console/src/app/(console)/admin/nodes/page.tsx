import type { Metadata } from "next";
import { Term } from "../../help/term.tsx";
import { RoleGate } from "../../role-gate.tsx";
import { NodesPage } from "./nodes-page.tsx";

export const metadata: Metadata = { title: "Nodes" };

export default function NodesRoute() {
  return (
    // biome-ignore lint/a11y/useValidAriaRole: the role of a person, not of an element
    <RoleGate role="admin" title="Nodes">
      <NodesPage
        description={
          <>
            Machines that run <Term name="Agent">agents</Term>, and when each was last heard from.
          </>
        }
      />
    </RoleGate>
  );
}
