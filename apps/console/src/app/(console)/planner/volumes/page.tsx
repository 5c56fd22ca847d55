import type { Metadata } from "next";
import { requirePrincipal } from "../../../../server/principal.ts";
import { VolumesPage } from "./volumes-page.tsx";

export const metadata: Metadata = { title: "Volume models" };

export default async function VolumesRoute() {
  await requirePrincipal();
  return <VolumesPage />;
}
