import type { Metadata } from "next";
import { requirePrincipal } from "../../../../server/principal.ts";
import { DrivePage } from "./drive-page.tsx";

export const metadata: Metadata = { title: "Drive" };

export default async function DriveRoute({ params }: { params: Promise<{ driveId: string }> }) {
  const { driveId } = await params;
  const { role } = await requirePrincipal();
  return <DrivePage driveId={driveId} role={role} />;
}
