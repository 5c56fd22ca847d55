"use client";
import { Menu as Primitive } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import { cx } from "../core/cx.ts";
import { popupClass, popupItemClass } from "../core/popup.ts";
import { UiLink } from "../core/provider.tsx";
import type { MenuItem, MenuPanelProps } from "./menu.tsx";
import { exceptPressOn } from "./press.ts";

export function MenuPanel(props: MenuPanelProps) {
  const { label, items, header, align = "end", side = "bottom", open, onOpenChange, anchor } = props;
  return (
    <Primitive.Root modal={false} open={open} onOpenChange={exceptPressOn(anchor, onOpenChange)}>
      <Primitive.Portal>
        <Primitive.Positioner
          anchor={anchor}
          align={align}
          side={side}
          sideOffset={4}
          className="z-50 outline-none"
        >
          <Primitive.Popup
            aria-label={label}
            finalFocus={() => anchor}
            className={cx(popupClass, "max-h-(--available-height) max-w-80 min-w-44 overflow-y-auto")}
          >
            {header && <div className="mb-1 border-b border-line px-2 pt-1 pb-2">{header}</div>}
            {items.map((item) => (
              <Item key={item.id} item={item} />
            ))}
          </Primitive.Popup>
        </Primitive.Positioner>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

function Item({ item }: { item: MenuItem }) {
  if ("separator" in item) return <Primitive.Separator className="my-1 h-px bg-line" />;
  if ("checked" in item) {
    return (
      <Primitive.CheckboxItem
        checked={item.checked}
        onCheckedChange={(checked) => item.onCheckedChange(checked)}
        className={cx(popupItemClass, "grid grid-cols-[16px_1fr]")}
      >
        <Primitive.CheckboxItemIndicator className="text-accent-ink">
          <Check aria-hidden="true" />
        </Primitive.CheckboxItemIndicator>
        <span className="col-start-2">{item.label}</span>
      </Primitive.CheckboxItem>
    );
  }
  const className = cx(popupItemClass, item.danger ? "text-bad" : "text-ink [&_svg]:text-faint");
  const content = (
    <>
      {item.icon}
      <span className="min-w-0">
        {item.label}
        {item.hint && <span className="block text-sm text-faint">{item.hint}</span>}
      </span>
    </>
  );
  if (item.href !== undefined) {
    return (
      <Primitive.LinkItem closeOnClick className={className} render={<UiLink href={item.href} />}>
        {content}
      </Primitive.LinkItem>
    );
  }
  return (
    <Primitive.Item className={className} disabled={item.disabled} onClick={item.onSelect}>
      {content}
    </Primitive.Item>
  );
}
