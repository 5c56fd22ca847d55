import type { Metadata } from "next";
import { requirePrincipal } from "../../../server/principal.ts";
import { DisksPage } from "./disks-page.tsx";

export const metadata: Metadata = { title: "Disks" };

export default async function DisksRoute() {
  const { role } = await requirePrincipal();
  return <DisksPage role={role} />;
}
