"use client";
import { Download, Ellipsis, Image, Link2 } from "lucide-react";
import { downloadText } from "../core/download.ts";
import { useToastIfAny } from "../feedback/toast.tsx";
import { Button } from "../form/button.tsx";
import { Menu, type MenuItem } from "../overlay/menu.tsx";
import { toCsv } from "../table/sort-filter-export.ts";
import type { PanelPicture } from "./export-png.ts";
import { readingTable } from "./readings.ts";

interface PanelMenuProps {
  /** Null before anything is drawn. */
  readonly picture: PanelPicture | null;
  readonly title: string;
  readonly exportName: string;
  /** Permanent link to the same data, computed when it is copied. */
  readonly linkOf?: (() => string) | undefined;
  readonly items?: readonly MenuItem[] | undefined;
}

/** Chart menu: CSV and PNG downloads, a link, and actions added by the page. */
export function PanelMenu({ picture, title, exportName, linkOf, items = [] }: PanelMenuProps) {
  const toast = useToastIfAny();
  const label = `Actions for “${title}”`;
  const missing = picture === null ? { disabled: true, hint: "Nothing is drawn." } : {};
  const exportCsv = () => {
    if (picture === null) return;
    const { columns, rows } = readingTable(picture.chart);
    downloadText(`${exportName}.csv`, "text/csv;charset=utf-8", toCsv(rows, columns));
  };
  const exportPng = async () => {
    if (picture === null) return;
    try {
      const { downloadPng } = await import("./export-png.ts");
      await downloadPng(`${exportName}.png`, picture);
    } catch {
      toast?.({ title: "The picture could not be drawn", description: "Try again.", status: "bad" });
    }
  };
  const copyLink = async () => {
    const link = linkOf?.() ?? "";
    try {
      await navigator.clipboard.writeText(link);
      toast?.({ title: "Link copied", description: "It always shows this time range.", status: "good" });
    } catch {
      // Browsers offer no clipboard without HTTPS.
      toast?.({
        title: "The browser did not allow the link to be copied",
        description: link,
        status: "warning",
      });
    }
  };
  return (
    <Menu
      label={label}
      trigger={
        <Button
          variant="quiet"
          size="sm"
          aria-label={label}
          title="Export and more"
          icon={<Ellipsis aria-hidden="true" />}
        />
      }
      items={[
        { id: "csv", label: "Download as CSV", icon: <Download />, ...missing, onSelect: exportCsv },
        {
          id: "png",
          label: "Download as PNG",
          icon: <Image />,
          ...missing,
          onSelect: () => void exportPng(),
        },
        ...(linkOf === undefined
          ? []
          : [
              {
                id: "link",
                label: "Copy link",
                icon: <Link2 />,
                hint: "Always opens with this time range.",
                onSelect: () => void copyLink(),
              },
            ]),
        ...(items.length === 0 ? [] : [{ id: "line", separator: true as const }, ...items]),
      ]}
    />
  );
}
