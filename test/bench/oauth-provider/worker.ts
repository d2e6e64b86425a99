/** @cloudflare/workers-oauth-provider with one client: POST /code gives a code, POST /token exchanges it. */
import { type OAuthHelpers, OAuthProvider } from "@cloudflare/workers-oauth-provider";

interface ProviderEnv {
  OAUTH_KV: KVNamespace;
  OAUTH_PROVIDER: OAuthHelpers;
}

const REDIRECT_URI = "https://psp.example/callback";

/** Whoever may ask for a code: the bench alone. */
const defaultHandler: ExportedHandler<ProviderEnv> = {
  fetch: async (request, { OAUTH_PROVIDER: helpers }) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/client") {
      const client = await helpers.createClient({
        redirectUris: [REDIRECT_URI],
        tokenEndpointAuthMethod: "client_secret_basic",
      });
      return Response.json(client, { status: 201 });
    }
    if (pathname !== "/code") return new Response("ready");
    const { redirectTo } = await helpers.completeAuthorization({
      request: {
        responseType: "code",
        clientId: searchParams.get("client") ?? "",
        redirectUri: REDIRECT_URI,
        scope: ["accounts"],
        state: "af0ifjsldkj",
        codeChallenge: searchParams.get("challenge") ?? "",
        codeChallengeMethod: "S256",
      },
      userId: "bench-account",
      metadata: {},
      scope: ["accounts"],
      props: { account: "bench-account" },
      // finding the earlier ones would list all of them for each code
      revokeExistingGrants: false,
    });
    return Response.json({ code: new URL(redirectTo).searchParams.get("code") }, { status: 201 });
  },
};

export default new OAuthProvider<ProviderEnv>({
  apiRoute: "/api",
  apiHandler: { fetch: async () => new Response("unused") },
  defaultHandler,
  authorizeEndpoint: "/authorize",
  tokenEndpoint: "/token",
  scopesSupported: ["accounts"],
  resourceMetadata: { resource: "https://bank.example/api", authorization_servers: ["https://bank.example"] },
  refreshTokenTTL: 0,
});
