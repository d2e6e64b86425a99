/** Codes, their redemption and CCG tokens, beside the primitives that they cannot do without, and a library by others. */
import type { Group } from "./group.ts";
import type { Call, Route } from "./load.ts";
import { providerRoutes } from "./provider.ts";
import { ACCOUNT, codeRequest, type Setting, tokenRequest } from "./setting.ts";

/** In an answer of either. */
const CODE = '"code":"([^"]+)"';

export async function codesGroup(setting: Setting): Promise<Group> {
  const { service, bare, identity, eidas } = setting;
  const headers = { ...identity, eidas, "Content-Type": "application/json" };
  const make = (name: string, url: string, path: string): Route => ({
    ...{ name, url, captures: CODE },
    method: "POST",
    status: 201,
    calls: [{ path, headers, body: JSON.stringify(codeRequest(ACCOUNT)) }],
  });
  const redeem = (name: string, url: string, path: string, from: Route): Route => ({
    ...{ name, url },
    method: "POST",
    status: 201,
    calls: { from, make: (code): Call => ({ path, headers, body: JSON.stringify(tokenRequest(ACCOUNT, code)) }) },
  });
  const ccg = (name: string, url: string, path: string): Route => ({
    ...{ name, url },
    method: "POST",
    status: 201,
    calls: [
      {
        path,
        headers: { ...identity, "Content-Type": "application/json" },
        body: JSON.stringify({ eIDAS: eidas, scope: "accounts" }),
      },
    ],
  });
  const record = make("bare: one DO write", bare, "/bare/record");
  const issue = make("code issue", service, "/v1/oauth2/authorization_codes");
  const exchange = redeem("bare: one DO read and write, one D1 insert", bare, "/bare/exchange", record);
  const redemption = redeem("redemption with token insert", service, "/v1/oauth2/tokens", issue);
  const provider = await providerRoutes(setting);
  const sealing = ccg("bare: one seal", bare, "/bare/seal");
  const ccgToken = ccg("CCG token", service, "/v1/obie/ccg_tokens");
  return {
    title: "Codes, tokens, CCG tokens",
    // a code lives for 60 seconds: nothing is between its issue and its redemption
    steps: [[provider.issue], [record, issue], [exchange, redemption, provider.exchange], [sealing, ccgToken]],
    comparisons: [
      { of: issue, to: record, goal: { atMost: 1.5 } },
      { of: redemption, to: exchange, goal: { atMost: 1.2 } },
      { of: redemption, to: provider.exchange, goal: { atMost: 0.83 } },
      { of: ccgToken, to: sealing, goal: { atMost: 1.6 } },
    ],
    notes: [
      "A bare route gets the same headers and body as the whole one. A code is used once: those of a round are redeemed in it.",
      "The provider reads the client and the grant from KV, checks the client's secret and PKCE, and writes grant and token",
      "to KV, where two exchanges of one code at the same instant can both win. Ours checks the FI, the PSP's certificate",
      "(seen before) and its register, redeems the code in its Durable Object, where exactly one wins, and inserts into D1.",
    ],
  };
}
