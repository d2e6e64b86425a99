/** Token information, introspection, a consent and the list of an account's tokens, each beside the one read of D1 that it needs. */
import { CONSENT_REQUEST, CONSENTS } from "./consents.ts";
import type { Group } from "./group.ts";
import type { Route } from "./load.ts";
import { ACCOUNT, obtainCcgHeaders, obtainToken, post, type Setting } from "./setting.ts";

const LISTED_TOKENS = 20;
const LIST_ACCOUNT = `${ACCOUNT}-of-${LISTED_TOKENS}`;

export async function readsGroup(setting: Setting): Promise<Group> {
  const { service, bare, identity, eidas } = setting;
  const headers = await obtainCcgHeaders(setting);
  const token = await obtainToken(setting, ACCOUNT);
  for (let i = 0; i < LISTED_TOKENS; i++) await obtainToken(setting, LIST_ACCOUNT);
  const get = (name: string, url: string, path: string): Route => ({
    ...{ name, url },
    method: "GET",
    status: 200,
    calls: [{ path, headers }],
  });
  const read = get("bare: one D1 read", bare, `/bare/tokens/${token}`);
  const information = get("token information", service, `/v1/obie/tokens/${token}`);
  const introspection: Route = {
    name: "introspection",
    url: service,
    method: "POST",
    status: 200,
    calls: [
      {
        path: "/v1/introspect",
        headers: { ...identity, "Content-Type": "application/x-www-form-urlencoded" },
        body: `token=${token}`,
      },
    ],
  };
  const access: Route = {
    name: "access, for a gateway",
    url: service,
    method: "GET",
    status: 200,
    calls: [{ path: "/v1/access?scope=accounts", headers: { ...identity, eidas, access_token: token } }],
  };
  const created = (await post(`${service}${CONSENTS}`, headers, CONSENT_REQUEST)) as { data: { consent_id: string } };
  const consent = get("consent read", service, `${CONSENTS}/${created.data.consent_id}`);
  const rows = get(`bare: one D1 read of ${LISTED_TOKENS} rows`, bare, `/bare/accounts/${LIST_ACCOUNT}/tokens`);
  const list = get(`token list of ${LISTED_TOKENS}`, service, `/v1/oauth2/account/${LIST_ACCOUNT}/tokens`);
  return {
    title: "Reads",
    steps: [
      [information, introspection, access, read, consent],
      [rows, list],
    ],
    comparisons: [
      { of: information, to: read, goal: { atMost: 1.15 } },
      { of: introspection, to: read, goal: { atMost: 1.15 } },
      { of: access, to: read, goal: { atMost: 1.15 } },
      { of: consent, to: read, goal: { atMost: 1.15 } },
      { of: list, to: rows, goal: { atMost: 1.3 } },
    ],
    notes: ["The bare read is of the token's row, for all four."],
  };
}
