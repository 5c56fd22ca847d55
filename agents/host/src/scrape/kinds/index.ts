import { ceph } from "./ceph.ts";
import type { SourceKind } from "./kind.ts";
import { minio } from "./minio.ts";
import { zfs } from "./zfs.ts";

export const sourceKindNames = ["ceph", "minio", "zfs"] as const;

export type SourceKindName = (typeof sourceKindNames)[number];

export const sourceKinds: Readonly<Record<SourceKindName, SourceKind>> = { ceph, minio, zfs };
