/** The exchange of a code by @cloudflare/workers-oauth-provider, in a Worker of its own (oauth-provider/). */
import { createHash } from "node:crypto";
import type { Call, Route } from "./load.ts";
import { post, type Setting } from "./setting.ts";

const VERIFIER = "a-verifier-of-pkce-that-is-long-enough-for-rfc-7636";
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

export async function providerRoutes({ provider: url }: Setting): Promise<{ issue: Route; exchange: Route }> {
  const client = (await post(`${url}/client`, {}, {})) as { clientId: string; clientSecret: string };
  const headers = {
    Authorization: `Basic ${btoa(`${client.clientId}:${client.clientSecret}`)}`,
    "Content-Type": "application/x-www-form-urlencoded",
  };
  const query = new URLSearchParams({ client: client.clientId, challenge: CHALLENGE });
  const issue: Route = {
    name: "(codes of workers-oauth-provider)",
    url,
    method: "POST",
    status: 201,
    calls: [{ path: `/code?${query}`, headers: {} }],
    captures: '"code":"([^"]+)"',
  };
  const exchange: Route = {
    name: "exchange by workers-oauth-provider",
    url,
    method: "POST",
    status: 200,
    calls: { from: issue, make: (code): Call => ({ path: "/token", headers, body: writeForm(code) }) },
  };
  return { issue, exchange };
}

const writeForm = (code: string): string =>
  `${new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: "https://psp.example/callback",
    code_verifier: VERIFIER,
  })}`;
