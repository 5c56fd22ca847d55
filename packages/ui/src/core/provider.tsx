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

/**
 * Provides every component with the router's link, and passes the page's CSP nonce to primitives that write a <style>.
 */
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

/** Link through the router given to UiProvider; a plain anchor without one. */
export function UiLink(props: UiLinkProps) {
  const LinkComponent = useContext(LinkContext);
  return <LinkComponent {...props} />;
}
