/** Of panva's provider, what people-sign-in.ts uses: its own types are a package with seventeen others. */
declare module "oidc-provider" {
  import type { RequestListener } from "node:http";

  interface Account {
    readonly accountId: string;
    readonly claims: () => Promise<{ readonly sub: string } & Record<string, unknown>>;
  }
  interface Configuration extends Record<string, unknown> {
    readonly findAccount: (context: unknown, id: string) => Account;
  }
  export default class Provider {
    constructor(issuer: string, configuration: Configuration);
    callback(): RequestListener;
  }
}
