import type { Metadata } from "next";
import { requirePrincipal } from "../../../server/principal.ts";
import { SettingsPage } from "./settings-page.tsx";

export const metadata: Metadata = { title: "Your settings" };

export default async function Page() {
  await requirePrincipal();
  return <SettingsPage />;
}
