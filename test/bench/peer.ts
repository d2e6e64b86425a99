/** The exchange of a code by @cloudflare/workers-oauth-provider beside ours: each whole, in a Worker of its own. */
import { createHash } from "node:crypto";
import type { Group } from "./comparison.ts";
import { exchangeRoute } from "./grants.ts";
import { CALLS_PER_TURN, type Call, type Route } from "./load.ts";
import { makeMany, post, type Setting } from "./setting.ts";

const VERIFIER = "a-verifier-of-pkce-that-is-long-enough-for-rfc-7636";
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

/** `url`: where test/bench/oauth-provider serves. */
export async function peerGroup(setting: Setting, url: string): Promise<Group> {
  const client = (await post(`${url}/client`, {}, {})) as { clientId: string; clientSecret: string };
  const headers = {
    Authorization: `Basic ${btoa(`${client.clientId}:${client.clientSecret}`)}`,
    "Content-Type": "application/x-www-form-urlencoded",
  };
  const obtain = async (): Promise<Call> => {
    const query = new URLSearchParams({ client: client.clientId, challenge: CHALLENGE });
    const { code } = (await post(`${url}/code?${query}`, {}, {})) as { code: string };
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: "https://psp.example/callback",
      code_verifier: VERIFIER,
    });
    return { path: "/token", headers, body: `${body}` };
  };
  const theirs: Route = {
    name: "exchange by workers-oauth-provider",
    method: "POST",
    status: 200,
    calls: () => makeMany(CALLS_PER_TURN, obtain),
    url,
  };
  const ours = { ...exchangeRoute(setting), name: "exchange by this service" };
  return {
    title: "A code exchanged, beside @cloudflare/workers-oauth-provider",
    routes: [theirs, ours],
    comparisons: [{ of: ours, to: theirs, target: null }],
    notes: [
      "Theirs reads the client and the grant from KV, checks the client's secret and PKCE, and writes grant and token to",
      "KV. Two exchanges of one code at the same instant can both win, since KV has no compare-and-swap and other",
      "locations see a write only after a while. Tokens carry encrypted data of the application, which ours do not.",
      "Ours checks the FI and the PSP's certificate (seen before) and register, redeems the code in its own Durable",
      "Object, where exactly one can win anywhere in the world, and inserts the token in D1. It has no PKCE.",
      "Locally KV, Durable Objects and D1 are all SQLite on this machine: deployed, distances count, not these figures.",
    ],
  };
}
