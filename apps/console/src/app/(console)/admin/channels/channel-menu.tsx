"use client";
import type { ChannelRow } from "@stashlight/contracts/alert";
import { ActionMenu } from "@stashlight/ui/action-menu";
import { ConfirmDialog } from "@stashlight/ui/dialog";
import { Button } from "@stashlight/ui/form";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { describeError } from "../../../../client/errors.ts";
import { useTRPC } from "../../../../client/trpc.tsx";

interface ChannelMenuProps {
  channel: ChannelRow;
  onEdit: (channel: ChannelRow) => void;
}

export function ChannelMenu({ channel, onEdit }: ChannelMenuProps) {
  const [isDeleting, setDeleting] = useState(false);
  const label = `Actions for ${channel.name}`;
  return (
    <span className="inline-flex items-center gap-1">
      <TestButton channel={channel} />
      <ActionMenu
        label={label}
        items={[
          { id: "edit", label: "Edit channel", icon: <Pencil />, onSelect: () => onEdit(channel) },
          { id: "line", separator: true },
          {
            id: "delete",
            label: "Delete channel",
            icon: <Trash2 />,
            danger: true,
            onSelect: () => setDeleting(true),
          },
        ]}
      />
      <DeleteDialog channel={channel} open={isDeleting} onOpenChange={setDeleting} />
    </span>
  );
}

function TestButton({ channel }: { channel: ChannelRow }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const test = useMutation(trpc.channel.test.mutationOptions());
  const send = () =>
    test.mutate(
      { channelId: channel.id },
      {
        onSuccess: ({ isDelivered, sentence }) => {
          void queryClient.invalidateQueries(trpc.channel.pathFilter());
          const title = isDelivered ? "Test message sent" : "Test message not accepted";
          toast({ title, description: sentence, status: isDelivered ? "good" : "bad" });
        },
        onError: (error) =>
          toast({ title: "The test failed", description: describeError(error), status: "bad" }),
      },
    );
  return (
    <Button size="sm" pending={test.isPending} aria-label={`Send a test to ${channel.name}`} onClick={send}>
      Test
    </Button>
  );
}

interface DeleteDialogProps {
  channel: ChannelRow;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function DeleteDialog({ channel, open, onOpenChange }: DeleteDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const remove = useMutation(trpc.channel.delete.mutationOptions());
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Delete ${channel.name}?`}
      consequence={`It receives no more notifications, and its waiting messages are dropped (${channel.waitingCount}). Rules that name it notify their other channels, or the default ones.`}
      confirmLabel="Delete channel"
      describeError={describeError}
      onConfirm={async () => {
        await remove.mutateAsync({ channelId: channel.id });
        await queryClient.invalidateQueries(trpc.channel.pathFilter());
      }}
    />
  );
}
