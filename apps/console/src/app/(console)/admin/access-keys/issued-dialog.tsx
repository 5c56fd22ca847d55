"use client";
import { accessKeyEffectSeconds, type IssuedAccessKey } from "@stashlight/contracts/access-key";
import type { S3Address } from "@stashlight/contracts/node";
import { CodeBlock, CopyableId, DefinitionList, Secret } from "@stashlight/ui/data";
import { Callout } from "@stashlight/ui/feedback";
import { Field } from "@stashlight/ui/form";
import { Select } from "@stashlight/ui/select";
import { useState } from "react";
import { SecretDialog } from "../../secret-dialog.tsx";
import { clientSetup, type S3ClientName, s3ClientLabels, s3Clients } from "./client-setup.ts";

interface IssuedDialogProps {
  issued: IssuedAccessKey;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Shows the secret once, with everything else that a client needs. */
export function IssuedDialog({ issued, ...dialog }: IssuedDialogProps) {
  const [address, ...others] = issued.addresses;
  return (
    <SecretDialog
      {...dialog}
      size="lg"
      title="Secret of the access key"
      description={`The key works within ${accessKeyEffectSeconds} s.`}
      done="I have saved it"
    >
      <Secret label="Secret access key" value={issued.secretAccessKey} />
      <DefinitionList
        items={[
          { term: "Access key ID", value: <CopyableId value={issued.accessKeyId} label="access key ID" /> },
          ...(address === undefined
            ? []
            : [
                { term: "S3 address", value: <CopyableId value={address.url} label="S3 address" /> },
                { term: "Region", value: <CopyableId value={address.region} label="region" /> },
              ]),
          ...(others.length === 0
            ? []
            : [{ term: "Other coordinators", value: others.map(({ url }) => url).join(", ") }]),
        ]}
      />
      {address === undefined ? (
        <Callout status="unknown" title="The S3 address is not known yet">
          No coordinator of this vault has reported its S3 address. It is in the vault's file, under the
          coordinator's “s3”.
        </Callout>
      ) : (
        <ClientSetup issued={issued} address={address} />
      )}
    </SecretDialog>
  );
}

function ClientSetup({ issued, address }: { issued: IssuedAccessKey; address: S3Address }) {
  const [client, setClient] = useState<S3ClientName>("aws");
  return (
    <div className="flex flex-col gap-2">
      <Field label="Set up a client">
        <Select
          options={s3Clients.map((value) => ({ value, label: s3ClientLabels[value] }))}
          value={client}
          onValueChange={setClient}
        />
      </Field>
      <CodeBlock code={clientSetup(client, issued, address)} label={s3ClientLabels[client]} />
      {address.url.startsWith("https:") && (
        <p className="text-sm text-faint">
          ca.pem is the certificate of the vault's authority, from the folder of any of its nodes. Leave it
          out if the machine trusts the authority that signed the S3 certificate.
        </p>
      )}
    </div>
  );
}
