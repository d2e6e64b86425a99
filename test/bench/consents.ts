/** Account access consents: created and deleted, each beside the one statement of D1 that it cannot do without. */
import type { Group } from "./group.ts";
import type { Route } from "./load.ts";
import { obtainCcgHeaders, type Setting } from "./setting.ts";

export const CONSENTS = "/v1/obie/account_access_consents";
export const CONSENT_REQUEST = {
  data: { permissions: ["ReadAccountsBasic", "ReadBalances"], transaction_from_date_time: "2026-01-01T00:00:00Z" },
};
/** In an answer of either. */
const CONSENT_ID = '"consent_id":"([^"]+)"';

export async function consentsGroup(setting: Setting): Promise<Group> {
  const { service, bare } = setting;
  const headers = await obtainCcgHeaders(setting);
  const create = (name: string, url: string, path: string): Route => ({
    ...{ name, url, captures: CONSENT_ID },
    method: "POST",
    status: 201,
    calls: [
      { path, headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(CONSENT_REQUEST) },
    ],
  });
  const end = (name: string, url: string, path: string, from: Route): Route => ({
    ...{ name, url },
    method: "DELETE",
    status: 204,
    calls: { from, make: (id) => ({ path: `${path}/${id}`, headers }) },
  });
  const insert = create("bare: one D1 insert", bare, "/bare/consents");
  const created = create("consent create", service, CONSENTS);
  const update = end("bare: one D1 update", bare, "/bare/consents", insert);
  const deleted = end("consent delete", service, CONSENTS, created);
  return {
    title: "Account access consents",
    steps: [
      [insert, created],
      [update, deleted],
    ],
    comparisons: [
      { of: created, to: insert, goal: { atMost: 1.2 } },
      { of: deleted, to: update, goal: { atMost: 1.2 } },
    ],
    notes: ["A consent is deleted in the round that created it. Its tokens are ended in the same transaction."],
  };
}
