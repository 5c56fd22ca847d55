/** The part of oidc-provider that the tests use; the package brings no types of its own. */
declare module "oidc-provider" {
  import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

  interface Configuration {
    clients: { client_id: string; client_secret: string; redirect_uris: string[] }[];
    cookies: { keys: string[] };
    jwks: { keys: object[] };
    ttl: Record<string, number>;
    claims: Record<string, string[]>;
    conformIdTokenClaims: boolean;
    features: { devInteractions: { enabled: boolean } };
    interactions: { url(ctx: unknown, interaction: { uid: string }): string };
    findAccount(
      ctx: unknown,
      accountId: string,
    ): { accountId: string; claims(): { sub: string; [claim: string]: unknown } };
    loadExistingGrant(ctx: {
      oidc: { client?: { clientId: string }; session?: { accountId?: string } };
    }): Promise<Grant>;
  }

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  interface Context {
    path: string;
    req: IncomingMessage;
    res: ServerResponse;
    respond: boolean;
  }

  export default class Provider {
    constructor(issuer: string, configuration: Configuration);
    readonly Grant: new (of: {
      clientId: string | undefined;
      accountId: string | undefined;
    }) => Grant;
    use(middleware: (ctx: Context, next: () => Promise<void>) => Promise<void>): void;
    callback(): RequestListener;
    interactionFinished(
      req: IncomingMessage,
      res: ServerResponse,
      result: { login: { accountId: string } },
    ): Promise<void>;
  }
}
