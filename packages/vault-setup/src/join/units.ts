/** systemd units: one per process of a machine's nodes, with no more rights than needed. */
import { DEPARTED_EXIT_CODE, RESTART_EXIT_CODE } from "@stashlight/node-runtime/launch";
import type { MachineProcess } from "./launches.ts";

export interface UnitOptions {
  readonly vault: string;
  /** The folder of the machine's vault, where processes write later epochs and their state. */
  readonly folder: string;
  readonly user: string;
}

export interface Unit {
  /** For example `stashlight-photos-pods-1.service`. */
  readonly name: string;
  readonly text: string;
}

export function serviceUnit(process: MachineProcess, { vault, folder, user }: UnitOptions): Unit {
  const { name, nodeIds, command, env, folders } = process;
  const lines = [
    "# Written by stashlight vault join, and again whenever it runs. Put changes into a drop-in: systemctl edit.",
    "[Unit]",
    `Description=Stashlight vault ${vault}: ${nodeIds.join(", ")}`,
    "Wants=network-online.target time-sync.target",
    "After=network-online.target time-sync.target",
    `RequiresMountsFor=${[folder, ...folders].map(quoted).join(" ")}`,
    "StartLimitIntervalSec=0",
    "",
    "[Service]",
    `ExecStart=${command.map(quoted).join(" ")}`,
    ...Object.entries(env).map(([key, value]) => `Environment=${quoted(`${key}=${value}`)}`),
    `User=${user}`,
    "UMask=0077",
    "Restart=always",
    `RestartPreventExitStatus=${DEPARTED_EXIT_CODE}`,
    `SuccessExitStatus=${RESTART_EXIT_CODE}`,
    "RestartSec=1",
    "TimeoutStopSec=20",
    "LimitNOFILE=65536",
    ...HARDENING,
    `ReadWritePaths=${[folder, ...folders].map(quoted).join(" ")}`,
    "",
    "[Install]",
    "WantedBy=multi-user.target",
  ];
  return { name: `stashlight-${vault}-${name}.service`, text: `${lines.join("\n")}\n` };
}

/** MemoryDenyWriteExecute is left out because V8 compiles to machine code as it runs. */
const HARDENING = [
  "NoNewPrivileges=yes",
  "CapabilityBoundingSet=",
  "AmbientCapabilities=",
  "ProtectSystem=strict",
  "ProtectHome=read-only",
  "PrivateTmp=yes",
  "PrivateDevices=yes",
  "ProtectClock=yes",
  "ProtectControlGroups=yes",
  "ProtectHostname=yes",
  "ProtectKernelLogs=yes",
  "ProtectKernelModules=yes",
  "ProtectKernelTunables=yes",
  "ProtectProc=invisible",
  "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
  "RestrictNamespaces=yes",
  "RestrictRealtime=yes",
  "RestrictSUIDSGID=yes",
  "LockPersonality=yes",
  "RemoveIPC=yes",
  "SystemCallArchitectures=native",
  "SystemCallFilter=@system-service",
  "SystemCallErrorNumber=EPERM",
];

/** Escapes a word for systemd, which interprets percent signs and dollars. */
function quoted(text: string): string {
  const escaped = text.replace(/[\\"]/g, "\\$&").replace(/%/g, "%%").replace(/\$/g, "$$$$");
  return /[\s"'\\;]/.test(text) ? `"${escaped}"` : escaped;
}
