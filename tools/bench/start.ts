/** A new user's waiting times and an idle installation's cost: cold start, warm restart, memory, first-load JS. */
import { setTimeout as delay } from "node:timers/promises";
import { copyTree, proportionalBytes, residentBytes, startTimed } from "./installation.ts";
import type { Measurement } from "./measurement.ts";
import { measurePageScripts } from "./page-scripts.ts";

const port = 4786;
const settleMs = 30_000;
const megabyte = 1e6;
const budgets = { coldMs: 60_000, warmMs: 10_000, residentMB: 600, withVaultMB: 900 };

/**
 * All processes of a start with its vault, a minute after the first one: resident, and with shared pages counted once.
 */
async function measureWithVault(folder: string): Promise<Measurement[]> {
  const start = await startTimed(folder, port, { hasVault: true });
  try {
    await delay(2 * settleMs);
    const against = { name: "budget of 900 MB", value: budgets.withVaultMB };
    return [
      {
        name: "with the vault, idle: proportional set size",
        value: proportionalBytes(start.pid) / megabyte,
        unit: "MB",
        against,
      },
      {
        name: "with the vault, idle: resident, shared pages in each",
        value: residentBytes(start.pid) / megabyte,
        unit: "MB",
        against,
      },
    ];
  } finally {
    await start.stop();
  }
}

export async function benchStart(say: (line: string) => void): Promise<Measurement[]> {
  const { folder, remove } = copyTree();
  try {
    say("Cold start: install, build, database, migrations.");
    const cold = await startTimed(folder, port);
    let coldRss: number;
    try {
      await delay(settleMs);
      coldRss = residentBytes(cold.pid) / megabyte;
    } finally {
      await cold.stop();
    }
    say("Warm restart.");
    const warm = await startTimed(folder, port);
    let measured: Measurement[];
    try {
      await delay(settleMs);
      const warmRss = residentBytes(warm.pid) / megabyte;
      if (warm.setupUrl === null) throw new Error("The start printed no set-up link.");
      say("First-load JavaScript of each page.");
      const pages = await measurePageScripts(warm.url, warm.setupUrl);
      const inUseRss = residentBytes(warm.pid) / megabyte;
      const budget = (name: string, value: number) => ({ name, value });
      const memory = budget("budget of 600 MB", budgets.residentMB);
      measured = [
        {
          name: "cold start to first page",
          value: cold.elapsedMs,
          unit: "ms",
          against: budget("one minute", budgets.coldMs),
        },
        {
          name: "warm start to first page",
          value: warm.elapsedMs,
          unit: "ms",
          against: budget("budget of 10 s", budgets.warmMs),
        },
        {
          name: "warm start against cold",
          value: warm.elapsedMs,
          unit: "ms",
          against: budget("cold start", cold.elapsedMs),
        },
        { name: "resident memory, idle, first start", value: coldRss, unit: "MB", against: memory },
        { name: "resident memory, idle, warm start", value: warmRss, unit: "MB", against: memory },
        { name: "resident memory, after every page", value: inUseRss, unit: "MB", against: memory },
        ...pages,
      ];
    } finally {
      await warm.stop();
    }
    say("With the vault.");
    return [...measured, ...(await measureWithVault(folder))];
  } finally {
    remove();
  }
}
