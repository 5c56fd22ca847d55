import type { Metadata } from "next";
import { RoleGate } from "../../role-gate.tsx";
import { ChannelsPage } from "./channels-page.tsx";

export const metadata: Metadata = { title: "Channels" };

export default function ChannelsRoute() {
  return (
    // biome-ignore lint/a11y/useValidAriaRole: the role of a person, not of an element
    <RoleGate role="admin" title="Channels">
      <ChannelsPage />
    </RoleGate>
  );
}
