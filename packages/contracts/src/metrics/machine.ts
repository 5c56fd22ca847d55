import type { DescribedMetrics } from "./definition.ts";

/** Metrics of the machine under an agent; agents on the same machine report the same values. */
export const machine = {
  stashlight_machine_load: {
    help: "Processes that ran or waited for a processor or a drive, on average over the last minute, as the kernel counts them.",
    labels: ["machine"],
  },
  stashlight_machine_processors: {
    help: "Processors of the machine, for comparison with its load.",
    labels: ["machine"],
  },
  stashlight_machine_iowait_ratio: {
    help: "Share of processor time in the window that was idle while a process waited for a drive.",
    labels: ["machine"],
  },
  stashlight_machine_pressure_ratio: {
    help: "Share of the window in which a process waited for the resource, by the kernel's pressure stall information; missing if the kernel does not keep it.",
    labels: ["machine", "resource"],
  },
  stashlight_machine_memory_used_bytes: {
    help: "Memory of the machine that is not available to programs without swapping: its total minus the available memory.",
    labels: ["machine"],
  },
  stashlight_machine_memory_capacity_bytes: { help: "Memory of the machine.", labels: ["machine"] },
  stashlight_machine_disk_busy_ratio: {
    help: "Share of the window in which the busiest drive of the machine had a request in progress.",
    labels: ["machine"],
  },
} as const satisfies DescribedMetrics;
