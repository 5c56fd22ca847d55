/**
 * Decides where the product may connect at a user's request. A name is resolved once and its address is pinned, so that
 * the checked address is the one connected to.
 */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { StashlightError } from "@stashlight/contracts/errors";
import { type Denial, judgeAddress, type PinnedAddress } from "./address-policy.ts";

export type Resolve = (host: string) => Promise<readonly string[]>;

const systemResolve: Resolve = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);

/** Advice for admins after a denial. */
const remedyOfAdmins = 'An admin can allow it under "Allowed networks" on the pages Channels and Endpoints.';

/**
 * Returns the address to connect to; if there are several, the first allowed one. A refusal is a sentence with a
 * remedy.
 */
export async function pinDestination(
  host: string,
  allowedCidrs: readonly string[],
  { resolve = systemResolve, remedy = remedyOfAdmins }: { resolve?: Resolve; remedy?: string } = {},
): Promise<PinnedAddress> {
  const judged = await judgeHost(host, allowedCidrs, resolve);
  if (judged.pinned !== null) return judged.pinned;
  if (judged.denial === null) throw new StashlightError("unavailable", `The name ${host} has no address.`);
  throw new StashlightError("precondition_failed", `${describeDenial(host, judged.denial)} ${remedy}`);
}

/** Returns the reason why this host may not be contacted; null if it may, or if its name has no address at present. */
export async function findDenial(
  host: string,
  allowedCidrs: readonly string[],
  resolve: Resolve = systemResolve,
): Promise<Denial | null> {
  try {
    return (await judgeHost(host, allowedCidrs, resolve)).denial;
  } catch (error) {
    if (error instanceof StashlightError && error.code === "unavailable") return null;
    throw error;
  }
}

async function judgeHost(
  host: string,
  allowedCidrs: readonly string[],
  resolve: Resolve,
): Promise<{ pinned: PinnedAddress | null; denial: Denial | null }> {
  const name = bare(host);
  const addresses = isIP(name) === 0 ? await resolved(name, resolve) : [name];
  let first: Denial | null = null;
  for (const address of addresses) {
    const judgement = judgeAddress(address, allowedCidrs);
    if (judgement?.isAllowed) return { pinned: judgement.pinned, denial: null };
    first ??= judgement?.denial ?? null;
  }
  return { pinned: null, denial: first };
}

function describeDenial(host: string, { address, range }: Denial): string {
  const name = bare(host);
  const place = isIP(name) === 0 ? `${name} is ${address}, which` : address;
  return `${place} belongs to ${range.kind} (${range.cidr}). Nothing is sent there unless it is allowed.`;
}

/** Strips the brackets that an IPv6 literal has in a URL. */
const bare = (host: string): string => host.replace(/^\[(.*)\]$/, "$1");

async function resolved(name: string, resolve: Resolve): Promise<readonly string[]> {
  try {
    return await resolve(name);
  } catch (cause) {
    throw new StashlightError("unavailable", `The name ${name} cannot be resolved.`, { cause });
  }
}
