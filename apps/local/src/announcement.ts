import type { Options } from "./options.ts";
import type { InstallationPrepared } from "./prepare-installation.ts";
import type { VaultPrepared } from "./vault/prepare-vault.ts";
import type { VaultCount } from "./vault/vault-count.ts";
import { vaultFilePath } from "./vault/vault-folders.ts";

export interface AnnouncedVault {
  /** The first vault, whose S3 address serves all of them. */
  readonly prepared: Pick<VaultPrepared, "s3">;
  readonly count: VaultCount;
}

export interface AnnouncedConsole {
  readonly prepared: Pick<InstallationPrepared, "setup" | "recovery">;
  /** True once its pages are served. */
  readonly isOpen: boolean;
}

/** Lines about a started installation, or the reason that its console has not started. */
export function announcementLines(
  options: Options,
  console: AnnouncedConsole | { trouble: string },
  vault: AnnouncedVault | undefined,
): string[] {
  const { host, publicUrl } = options;
  const lines =
    "trouble" in console
      ? [`The vault is running without its console, whose start is retried: ${console.trouble}`]
      : describeConsole(options, console);
  if (vault) lines.push(...describeVault(options, vault));
  if (options.simulatedFleet?.nodeCount) lines.push(...describeFleet(options, options.simulatedFleet));
  if (!isLoopback(host) && isLoopback(new URL(publicUrl).hostname)) {
    lines.push(`Links name ${publicUrl}, which other machines cannot open; start with --public-url.`);
  }
  lines.push("Press Ctrl-C to stop.");
  return lines;
}

export function describeConsole(
  { publicUrl, recoverEmail }: Options,
  { prepared, isOpen }: AnnouncedConsole,
): string[] {
  const first = isOpen
    ? `Stashlight is running at ${publicUrl}`
    : `Stashlight is running, but its console at ${publicUrl} is not yet; its start is retried.`;
  return [first, ...describeLinks(prepared, recoverEmail)];
}

export function describeLinks(
  { setup, recovery }: Pick<InstallationPrepared, "setup" | "recovery">,
  recoverEmail: string | undefined,
): string[] {
  const lines: string[] = [];
  if (setup) {
    const expires = clockTime(new Date(setup.expiresAt));
    lines.push(`Create the first admin with this link, which works once and until ${expires}:`);
    lines.push(`  ${setup.url}`);
  }
  if (recovery) {
    lines.push(`${recoverEmail} sets a new password with this link, once and within a day:`);
    lines.push(`  ${recovery.url}`);
  }
  return lines;
}

function describeFleet(
  { dataDirectory }: Options,
  { nodeCount, dayCount }: NonNullable<Options["simulatedFleet"]>,
): string[] {
  const nodes = nodeCount === 1 ? "1 simulated node measures" : `${nodeCount} simulated nodes measure`;
  const days = dayCount === 1 ? "1 day of their past is" : `${dayCount} days of their past are`;
  return [
    `${nodes} beside the real ones, labelled as such; ${days} filled in meanwhile`,
    `  (${dataDirectory}/logs/fleet.log); --simulated-fleet 0 removes them.`,
  ];
}

function describeVault(
  { dataDirectory, vault }: Options,
  { prepared: { s3 }, count }: AnnouncedVault,
): string[] {
  const lines = [
    `S3 clients reach the vault at ${s3.endpoint}, region ${s3.region}, with path-style addresses;`,
    `  access key ID ${s3.accessKeyId}, its secret is in ${vaultFilePath(dataDirectory)}`,
  ];
  if (count.total > 1) lines.push(describeCount(count));
  if (vault?.hasDemoLoad) lines.push('A demo load writes to the bucket "demo"; --no-demo leaves it out.');
  return lines;
}

function describeCount({ total, added }: VaultCount): string {
  const isGrown = added > 0 && added < total;
  const vaults = `${total} vaults are behind it${isGrown ? `, ${added} of them added by this start` : ""}`;
  return `${vaults}; new keys go to each by its free space.`;
}

/** Formats by hand, because a locale format would take 16 MB of Node's memory permanently. */
function clockTime(time: Date): string {
  return [time.getHours(), time.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || host.startsWith("127.");
}
