"use client";
import type { BucketEncryption } from "@stashlight/contracts/bucket";
import type { S3Address } from "@stashlight/contracts/node";
import { CodeBlock } from "@stashlight/ui/data";
import { Callout } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { destroyKeyCommand, encryptCommand, rotateCommand } from "./client-commands.ts";

interface EncryptionSectionProps {
  readonly bucket: string;
  readonly encryption: BucketEncryption;
  readonly address: S3Address | null;
}

/** State of a bucket's encryption, and the commands that change it. */
export function EncryptionSection({ bucket, encryption, address }: EncryptionSectionProps) {
  const { isDefault, key } = encryption;
  return (
    <Section title="Encryption">
      {key.type === "destroyed" ? (
        <Callout status="bad" title={`The key was destroyed on ${key.at.slice(0, 10)}.`}>
          Encrypted objects of the bucket can no longer be read. Delete them to free their space.
        </Callout>
      ) : (
        <p>
          {isDefault
            ? "New objects are encrypted (AES-256-GCM)."
            : "New objects are stored as they are sent."}{" "}
          {describeKey(key)}
        </p>
      )}
      {!isDefault && key.type !== "destroyed" && (
        <CodeBlock label="Encrypt new objects" code={encryptCommand(bucket, address)} />
      )}
      {key.type === "wrapped" && (
        <>
          <CodeBlock label="Rotate the vault's key" code={rotateCommand} />
          <p className="text-muted">
            Destroying the key makes every encrypted object of the bucket unreadable for good. The console
            cannot do it; run the command on a machine of the vault:
          </p>
          <CodeBlock label="Destroy the key" code={destroyKeyCommand(bucket)} />
        </>
      )}
    </Section>
  );
}

function describeKey(key: BucketEncryption["key"]): string {
  if (key.type === "none") return "The bucket has no key.";
  if (key.type !== "wrapped") return "Its key was written by a later version; update the coordinators.";
  const { version, versionMadeAt, isNewest } = key;
  if (versionMadeAt === null) {
    return `Its key is wrapped by version ${version} of the vault's key, which the coordinator does not have: encrypted objects cannot be read.`;
  }
  const newest = isNewest ? "the newest version" : "an older version; the rotation is not complete";
  return `Its key is wrapped by version ${version} of the vault's key, created on ${versionMadeAt.slice(0, 10)}: ${newest}.`;
}
