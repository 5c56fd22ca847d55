import type { Metadata } from "next";
import { requirePrincipal } from "../../../server/principal.ts";
import { JobsPage } from "./jobs-page.tsx";

export const metadata: Metadata = { title: "Jobs" };

export default async function JobsRoute() {
  const { role } = await requirePrincipal();
  return <JobsPage role={role} />;
}
