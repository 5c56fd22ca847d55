"use client";
import { CSPProvider } from "@base-ui/react/csp-provider";
import {
  type AnchorHTMLAttributes,
  createContext,
  type ElementType,
  type ReactNode,
  type Ref,
  useContext,
} from "react";

const LinkContext = createContext<ElementType>("a");

/** Gives every component the router's link, and the page's CSP nonce to the primitives that write a <style>. */
export function UiProvider(props: { LinkComponent?: ElementType; nonce?: string; children: ReactNode }) {
  return (
    <CSPProvider nonce={props.nonce} disableStyleElements={props.nonce === undefined}>
      <LinkContext value={props.LinkComponent ?? "a"}>{props.children}</LinkContext>
    </CSPProvider>
  );
}

export type UiLinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  href: string;
  ref?: Ref<HTMLAnchorElement>;
};

/** A link through the router given to UiProvider; a plain anchor without one. */
export function UiLink(props: UiLinkProps) {
  const LinkComponent = useContext(LinkContext);
  return <LinkComponent {...props} />;
}
