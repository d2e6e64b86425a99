/** Codes and tokens, each operation beside the primitives that it cannot do without (issue: "Speed"). */
import type { Comparison, Group } from "./comparison.ts";
import { CALLS_PER_TURN, type Call, type Route } from "./load.ts";
import { makeMany, post, type Setting } from "./setting.ts";

const REDIRECT_URI = "https://psp.example/callback";
const CODES = "/v1/oauth2/authorization_codes";
const TOKENS = "/v1/oauth2/tokens";
const ACCOUNT = "bench-account";

const CODE_REQUEST = {
  account_id: ACCOUNT,
  client_request_query_parameters: {
    response_type: "code",
    redirect_uri: REDIRECT_URI,
    scope: "accounts",
    state: "af0ifjsldkj",
  },
};
const tokenRequest = (code: string) => ({
  account_id: ACCOUNT,
  client_request_query_parameters: { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI },
});

type Issued = { data: { redirect_uri: { parameters: { code: string } } } };
type Redeemed = { data: { access_token: string } };

const issue = async ({ url, identity, eidas }: Setting): Promise<string> => {
  const issued = (await post(`${url}${CODES}`, { ...identity, eidas }, CODE_REQUEST)) as Issued;
  return issued.data.redirect_uri.parameters.code;
};

/** Exchange of codes that were issued moments before, outside the measured time: each is used once. */
export function exchangeRoute(setting: Setting): Route {
  return {
    name: "code redemption with token insert",
    method: "POST",
    status: 201,
    calls: async () =>
      (await makeMany(CALLS_PER_TURN, () => issue(setting))).map((code) => redeem(setting, TOKENS, code)),
  };
}

const redeem = ({ identity, eidas }: Setting, path: string, code: string): Call => ({
  path,
  headers: { ...identity, eidas, "Content-Type": "application/json" },
  body: JSON.stringify(tokenRequest(code)),
});

export async function grantsGroup(setting: Setting): Promise<Group> {
  const { url, identity, eidas } = setting;
  const json = { ...identity, "Content-Type": "application/json" };
  const ccgRequest = { eIDAS: eidas, scope: "accounts" };
  const ccg = (await post(`${url}/v1/obie/ccg_tokens`, identity, ccgRequest)) as { access_token: string };
  const code = await issue(setting);
  const redeemed = (await post(`${url}${TOKENS}`, { ...identity, eidas }, tokenRequest(code))) as Redeemed;
  const token = redeemed.data.access_token;
  const reading = { ...identity, ccg_token: ccg.access_token };

  const send = (name: string, path: string, headers: Record<string, string>, body: object): Route => ({
    name,
    method: "POST",
    status: 201,
    calls: [{ path, headers, body: JSON.stringify(body) }],
  });
  const get = (name: string, path: string): Route => ({
    name,
    method: "GET",
    status: 200,
    calls: [{ path, headers: reading }],
  });
  const pairs: [bare: Route, whole: Route][] = [
    [
      send("bare: one DO write", "/bare/record", { ...json, eidas }, CODE_REQUEST),
      send("code issue", CODES, { ...json, eidas }, CODE_REQUEST),
    ],
    [bareExchangeRoute(setting), exchangeRoute(setting)],
    [
      send("bare: one sealing", "/bare/seal", json, ccgRequest),
      send("CCG token", "/v1/obie/ccg_tokens", json, ccgRequest),
    ],
    [get("bare: one D1 read", `/bare/tokens/${token}`), get("token information", `/v1/obie/tokens/${token}`)],
  ];
  return {
    title: "Codes and tokens",
    routes: pairs.flat(),
    comparisons: pairs.map(([to, of]): Comparison => ({ of, to, target: { atLeast: 0.8 } })),
    notes: ["A bare route gets the same headers and body as the whole one. Codes are issued before the measured time."],
  };
}

/** The same on bare records, which are as new as the codes are. */
function bareExchangeRoute(setting: Setting): Route {
  const { url, identity, eidas } = setting;
  const write = async () => {
    const written = (await post(`${url}/bare/record`, { ...identity, eidas }, CODE_REQUEST)) as { code: string };
    return redeem(setting, "/bare/exchange", written.code);
  };
  return {
    name: "bare: one DO read and write, one D1 insert",
    method: "POST",
    status: 201,
    calls: () => makeMany(CALLS_PER_TURN, write),
  };
}
