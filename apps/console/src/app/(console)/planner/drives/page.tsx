import type { Metadata } from "next";
import { requirePrincipal } from "../../../../server/principal.ts";
import { DrivesPage } from "./drives-page.tsx";

export const metadata: Metadata = { title: "Drives" };

export default async function DrivesRoute() {
  await requirePrincipal();
  return <DrivesPage />;
}
