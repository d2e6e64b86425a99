/** POST /v1/introspect, which a resource server asks at every call, beside the one D1 read that it cannot do without. */
import type { Comparison, Group } from "./comparison.ts";
import type { Route } from "./load.ts";
import { post, type Setting } from "./setting.ts";

const REDIRECT_URI = "https://psp.example/callback";

type Created = { data: { consent_id: string } };
type Issued = { data: { redirect_uri: { parameters: { code: string } } } };
type Redeemed = { data: { access_token: string } };

/** A token under an account access consent, whose row is read with it. */
async function obtainToken({ url, identity, eidas }: Setting): Promise<string> {
  const obie = `${url}/v1/obie`;
  const ccg = (await post(`${obie}/ccg_tokens`, identity, { eIDAS: eidas, scope: "accounts" })) as {
    access_token: string;
  };
  const headers = { ...identity, ccg_token: ccg.access_token };
  const data = {
    permissions: ["ReadAccountsBasic", "ReadBalances"],
    transaction_from_date_time: "2026-01-01T00:00:00Z",
  };
  const consent = (await post(`${obie}/account_access_consents`, headers, { data })) as Created;
  const issued = (await post(`${obie}/authorization_codes`, headers, {
    consent_id: consent.data.consent_id,
    psu_account_id: "bench-account",
    redirect_uri: REDIRECT_URI,
    scope: "accounts",
  })) as Issued;
  const auth_code = issued.data.redirect_uri.parameters.code;
  const redeemed = (await post(`${obie}/tokens`, headers, { auth_code, redirect_uri: REDIRECT_URI })) as Redeemed;
  return redeemed.data.access_token;
}

export async function introspectionGroup(setting: Setting): Promise<Group> {
  const { identity, eidas } = setting;
  const token = await obtainToken(setting);
  const ask = (name: string, path: string, headers: Record<string, string>): Route => ({
    name,
    method: "POST",
    status: 200,
    calls: [
      {
        path,
        headers: { ...identity, ...headers, "Content-Type": "application/x-www-form-urlencoded" },
        body: `token=${token}`,
      },
    ],
  });
  const bare = ask("bare: one D1 read", "/bare/introspect", {});
  const alone = ask("introspection", "/v1/introspect", {});
  const bareShown = ask("bare: one D1 read, same headers", "/bare/introspect", { eidas });
  const shown = ask("introspection with the PSP's certificate", "/v1/introspect", { eidas });
  return {
    title: "Introspection",
    routes: [bare, alone, bareShown, shown],
    comparisons: [
      { of: alone, to: bare, target: { atLeast: 0.85 } },
      { of: shown, to: bareShown, target: { atLeast: 0.85 } },
    ] satisfies Comparison[],
    notes: [
      "The token is under a consent, so a second row is read in the same statement. The certificate was seen before.",
    ],
  };
}
