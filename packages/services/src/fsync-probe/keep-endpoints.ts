/** Makes drives that a probe offers to plans into endpoints of kind "drive", so that plans measure them like stores. */
import type { MeasurableDrive } from "@stashlight/contracts/disk";
import type { AuthenticatedNode } from "@stashlight/contracts/node";
import type { ReportedDrive } from "@stashlight/contracts/probe";
import { endpointColumns } from "@stashlight/db/columns/endpoint";
import { newId } from "../ids.ts";
import type { Statements } from "../statements.ts";

/** Uses the name if it is free, with "(probe)" appended otherwise; a drive keeps its existing name. */
const upsertSql = `
  INSERT INTO endpoint (id, name, kind, url, region, bucket, prefix, addressing, ca_pem, access_key_id, secret_access_key,
                        label, probe_node_id, drive_node, drive_device, drive, created_at, updated_at)
  SELECT $1::uuid,
         CASE WHEN EXISTS (SELECT FROM endpoint WHERE name = $2::text) THEN $3::text ELSE $2::text END,
         'drive', '', $4::text, '', '', 'path', '', '', '', $5::text, $6::uuid, $7::text, $8::text, $9::jsonb,
         $10::timestamptz, $10::timestamptz
  ON CONFLICT (probe_node_id, drive_node, drive_device) DO UPDATE
     SET region = EXCLUDED.region, label = EXCLUDED.label, drive = EXCLUDED.drive, updated_at = EXCLUDED.updated_at`;

/** The endpoint of a drive that is no longer offered stays, with its measurements. */
export async function upsertDriveEndpoints(
  tx: Statements,
  { nodeId, name: probe }: Pick<AuthenticatedNode, "nodeId" | "name">,
  drives: readonly ReportedDrive[],
  now: Date,
): Promise<void> {
  for (const { node, device, benchmark } of drives) {
    if (benchmark === null) continue;
    const name = `${node}/${device}`;
    await tx.query(upsertSql, [
      newId(),
      name,
      `${name} (${probe})`,
      benchmark.labels.region ?? "",
      originLabel(benchmark),
      nodeId,
      node,
      device,
      JSON.stringify(endpointColumns.drive.write(benchmark)),
      now,
    ]);
  }
}

const originLabel = ({ isModelled }: MeasurableDrive): "modelled" | "measured" =>
  isModelled ? "modelled" : "measured";
