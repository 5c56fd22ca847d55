/** Inputs about the ports of a vault's machines. Each port is full duplex, so the busier direction counts. */
import { GBIT, type Rows } from "./row.ts";

const FAST = "Assumption: 100GBASE (IEEE 802.3), usual for machines with NVMe drives; enter yours";
const port = {
  unit: "Gbit/s",
  factor: GBIT,
  min: 1e6,
  max: 1e13,
  outOfBounds: "A port must carry 1 Mbit/s to 10 Tbit/s.",
  isLater: true,
} as const;

export const networkRows = {
  coordinators: {
    label: "Coordinators",
    help: "They share the uploads and send every shard twice, to its pod and to the stash; empty for as many as the peak needs.",
    default: null,
    defaultFrom: "As many as the peak needs",
    min: 1,
    max: 10_000,
    isWhole: true,
    outOfBounds: "A vault must have 1 to 10,000 coordinators.",
    isLater: true,
  },
  coordinatorBitsPerSecond: {
    ...port,
    label: "Port of a coordinator",
    help: "All ports of one coordinator together.",
    default: 100e9,
    defaultFrom: FAST,
  },
  podBitsPerSecond: {
    ...port,
    label: "Port of a pod",
    help: "All ports of one pod together; it takes one shard of each upload.",
    default: 10e9,
    defaultFrom: "Assumption: 10GBASE-T (IEEE 802.3an), usual for machines with HDDs; enter yours",
  },
  stashBitsPerSecond: {
    ...port,
    label: "Port of a stash server",
    help: "All ports of one stash server together; the servers that live share all shards.",
    default: 100e9,
    defaultFrom: FAST,
    isVariable: true,
  },
} as const satisfies Rows;
