/** Not a mistake in the request: the service or one of its stores fails, or the limit is reached. */
import { env } from "cloudflare:workers";
import type { Damage } from "../../../src/evidence/ledger/damage.ts";
import { makeRecordId } from "../../../src/grants/record-order.ts";
import { call, obtainToken } from "../bank.ts";
import { whileUnreachable } from "../evidence/ledger/unreachable-ledger.ts";
import { failingDatabase } from "../faults/failing-database.ts";
import { send } from "../samples.ts";
import { OTHER_FI, SANDBOX_FI } from "../sandbox.ts";
import type { Mistake } from "./mistake.ts";

const noDatabase = { ...env, DB: failingDatabase(env.DB, () => true, "before") };
const noConfiguration = {
  ...env,
  ACCESS_TOKEN_SECONDS: undefined,
  AUTHORIZATION_CODE: undefined,
} as unknown as Cloudflare.Env;
/** Right, and in a spelling that the isolate has not seen: it must be looked up. */
const NEW_TO_ISOLATE = { Authorization: SANDBOX_FI.Authorization.replace("Basic ", "bASic ") };

const damage: Damage = {
  first_seq: 1,
  last_seq: 9,
  first_time: 0,
  last_time: 1,
  file: "ledger/1/1",
  reason: "missing",
};
const damagedLedger = { getByName: () => ({ find: async () => damage }) } as unknown as Env["LEDGER"];

/** Makes records required, or not. */
const requireRecords = async (required: 0 | 1) =>
  await env.DB.prepare("UPDATE financial_institutions SET ledger_required = ?2 WHERE fi_reference_id = ?1")
    .bind(OTHER_FI.fi_reference_id, required)
    .run();

export const SERVICE_FAULTS: readonly Mistake[] = [
  {
    what: "a store does not answer a POST",
    send: () => send("POST /v1/obie/account_access_consents", { env: noDatabase }),
    status: 503,
    errors: [
      [
        "temporarily_unavailable",
        /^A store of this service cannot be reached: whether a consent was created is not known\. Send the request again: one that nobody authorises allows nothing$/,
      ],
    ],
  },
  {
    what: "a store does not answer a GET",
    send: () => send("GET /v1/oauth2/account/{account_id}/tokens", { headers: NEW_TO_ISOLATE, env: noDatabase }),
    status: 503,
    errors: [
      [
        "temporarily_unavailable",
        /^A store of this service cannot be reached: nothing was changed\. Send the request again$/,
      ],
    ],
  },
  {
    what: "a store does not answer a DELETE",
    send: async () =>
      send("DELETE /v1/oauth2/tokens/{token}", { segment: await obtainToken("mistake-7"), env: noDatabase }),
    status: 503,
    errors: [
      [
        "temporarily_unavailable",
        /^A store of this service cannot be reached: whether the token was revoked is not known\. Send the/,
      ],
    ],
  },
  {
    what: "a ledger that is required does not answer a DELETE",
    send: async () => {
      await requireRecords(1);
      const Authorization = OTHER_FI.Authorization.replace("Basic ", "baSic ");
      const headers = { ...OTHER_FI, Authorization };
      const answer = await whileUnreachable((bindings) =>
        send("DELETE /v1/accounts/{account_id}/permissions", { headers, env: bindings }),
      );
      await requireRecords(0);
      return answer;
    },
    status: 503,
    errors: [
      ["answer_withheld", /^The answer is withheld, .*: what was asked for may have been done\. Look before you/],
    ],
  },
  {
    what: "a record that may be among those of a file that is gone",
    send: () =>
      send("GET /v1/audit/records/{evidence_id}", { segment: makeRecordId(0), env: { ...env, LEDGER: damagedLedger } }),
    status: 500,
    errors: [
      ["records_damaged", /^The record may be among .+: records 1 to 9, of .+, are damaged: their file is missing$/],
    ],
  },
  {
    what: "a fault of the service",
    send: () => send("POST /v1/oauth2/authorization_codes", { env: noConfiguration }),
    status: 500,
    errors: [["internal_error", /^Internal error: the operator can find the cause in the log by this id$/]],
  },
  {
    what: "too many requests",
    send: () =>
      call("GET", "/v1/nothing", {
        headers: { "CF-Connecting-IP": "192.0.2.200" },
        env: { ...env, RATE_LIMIT_REQUESTS: 0 },
      }),
    status: 429,
    errors: [["rate_limit_exceeded", /^Too many requests from this address: try again in \d+ seconds?$/]],
  },
];
