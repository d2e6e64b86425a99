/** Mistakes in single elements of POST /v1/psp/checks: the answer is 200, and the element has the errors. */
import { call } from "../bank.ts";
import { makeLongChains } from "../routes/psp/long-chains.ts";
import { eidasHeader } from "../sandbox.ts";
import type { Mistake } from "./mistake.ts";

const GOOD = { eIDAS: eidasHeader("scenario-1"), jurisdictions: ["XX"] };
/** The answer as if the last element were all of it. */
async function sendElements(...checks: unknown[]) {
  const answer = await call("POST", "/v1/psp/checks", { body: { checks } });
  return { ...answer, body: answer.body.data.at(-1) };
}
const element = (what: string, change: unknown, code: string, title: RegExp): Mistake => ({
  what: `one of many checks ${what}`,
  send: () => sendElements(GOOD, change),
  status: 200,
  errors: [[code, title]],
});

export const CHECK_MISTAKES: readonly Mistake[] = [
  element("is a certificate without the object around it", GOOD.eIDAS, "checks_invalid", /^checks\[1\] is not an obj/),
  element(
    "has one jurisdiction",
    { ...GOOD, jurisdictions: "XX" },
    "jurisdictions_invalid",
    /^jurisdictions is not a /,
  ),
  element("has no list of them", { eIDAS: GOOD.eIDAS }, "jurisdictions_missing", /^jurisdictions is missing$/),
  element(
    "has a jurisdiction in place of jurisdictions",
    { eIDAS: GOOD.eIDAS, jurisdiction: "XX" },
    "jurisdictions_missing",
    /^jurisdictions is missing: jurisdiction was sent in its place$/,
  ),
  element("has a number as id", { ...GOOD, id: 17 }, "id_invalid", /^id is not a string$/),
  {
    what: "many checks are more work than one request may cause",
    send: async () => sendElements(...(await makeLongChains())),
    status: 200,
    errors: [["check_postponed", /^Not checked: the checks before it used up the work of one request$/]],
  },
];
