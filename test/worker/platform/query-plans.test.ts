/** Every statement of the request path and of the retention finds its rows by an index: none walks through a table. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { removeInstitution } from "../../../src/cli/institution/changes.ts";
import { CONSOLE_CHECK_STATEMENTS } from "../../../src/console/check/kept-checks.ts";
import { CHOSEN_INSTITUTION_STATEMENTS } from "../../../src/console/chosen-institution.tsx";
import { CONSOLE_ONCE_STATEMENTS } from "../../../src/console/once.ts";
import { CONSOLE_SESSION_STATEMENTS } from "../../../src/console/sessions.ts";
import { SIGN_IN_INSTITUTION_STATEMENTS } from "../../../src/console/sign-in/institution.ts";
import { DELIVERY_STATEMENTS, DUE_STATEMENTS } from "../../../src/events/deliveries.ts";
import { EVENT_RETENTION_STATEMENTS, EVENT_STATEMENTS } from "../../../src/events/event-log.ts";
import { EVENT_REVIEW_STATEMENTS } from "../../../src/events/event-review.ts";
import { INSTITUTION_STATEMENTS, INTEREST_STATEMENTS } from "../../../src/events/interest.ts";
import { ISSUER_STATEMENTS } from "../../../src/events/issuers.ts";
import { MET_LIST_STATEMENTS } from "../../../src/events/met-list.ts";
import { MET_NEWS_STATEMENTS } from "../../../src/events/met-news.ts";
import { MET_STATEMENTS } from "../../../src/events/met-psps.ts";
import { NOTICE_STATEMENTS } from "../../../src/events/notices.ts";
import { STANDING_STATEMENTS } from "../../../src/events/sweep.ts";
import { USED_CODE_STATEMENTS } from "../../../src/events/used-code.ts";
import { WATCH_STATEMENTS } from "../../../src/events/watches.ts";
import { SECRET_STATEMENTS, WEBHOOK_STATEMENTS } from "../../../src/events/webhook.ts";
import { WEBHOOK_CHANGE_STATEMENTS } from "../../../src/events/webhook-changes.ts";
import { ACCOUNT_KEY_STATEMENTS } from "../../../src/evidence/ledger/account-tag.ts";
import { COMMAND_ACT_STATEMENTS } from "../../../src/evidence/ledger/command-acts.ts";
import { ACCOUNT_ACCESS_CONSENT_STATEMENTS } from "../../../src/grants/account-access-consents.ts";
import { ACCOUNT_BLOCK_STATEMENTS } from "../../../src/grants/account-block.ts";
import { CORE_CODE_STATEMENTS, CORE_PERMISSION_STATEMENTS } from "../../../src/grants/core-flow.ts";
import { NEW_TOKEN_STATEMENTS } from "../../../src/grants/new-token.ts";
import { PAYMENT_ORDER_CONSENT_STATEMENTS } from "../../../src/grants/payment-order-consents.ts";
import { PERMISSION_COUNT_STATEMENTS, PERMISSION_LIST_STATEMENTS } from "../../../src/grants/permission-list.ts";
import { PROVIDER_SECRET_STATEMENTS } from "../../../src/grants/provider-secret.ts";
import { TICKET_STATEMENTS } from "../../../src/grants/record-order.ts";
import { ACCOUNT_DATA_STATEMENTS, RETENTION_STATEMENTS } from "../../../src/grants/retention.ts";
import { countLiveTokens, KEY_USE_STATEMENTS } from "../../../src/grants/token-keys.ts";
import { TOKEN_LIFETIME_STATEMENTS } from "../../../src/grants/token-lifetimes.ts";
import { TOKEN_LIST_STATEMENTS } from "../../../src/grants/token-list.ts";
import { INTROSPECTION_STATEMENTS, TOKEN_STATEMENTS } from "../../../src/grants/tokens.ts";
import { WITHDRAWAL_STATEMENTS } from "../../../src/grants/withdrawal.ts";
import { authenticate } from "../../../src/institutions/financial-institutions.ts";
import { listInstitutions } from "../../../src/institutions/institution-list.ts";
import { OPERATOR_PASS_STATEMENTS } from "../../../src/institutions/operator-pass.ts";
import { OWN_CREDENTIAL_STATEMENTS } from "../../../src/institutions/own-credentials.ts";
import { PEOPLE_STATEMENTS } from "../../../src/institutions/people.ts";
import { SIGN_IN_LINK_STATEMENTS } from "../../../src/institutions/sign-in-links.ts";
import { SIGN_IN_PROVIDER_STATEMENTS } from "../../../src/institutions/sign-in-provider.ts";
import { named } from "../../../src/platform/statements.ts";
import { COUNT_PSPS } from "../../../src/registers/holes.ts";

/** What a function asks D1, by listening to it ask. */
async function overhear(ask: (db: D1Database) => Promise<unknown>): Promise<string[]> {
  const heard: string[] = [];
  const db = {
    prepare: (sql: string) => heard.push(sql) && env.DB.prepare(sql),
    batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements),
  };
  await ask(db as unknown as D1Database);
  return heard;
}

const STATEMENTS = Object.entries({
  financial_institutions: await overhear((db) => authenticate(db, "client", "secret", "reference", 0)),
  tokens: TOKEN_STATEMENTS,
  new_token: NEW_TOKEN_STATEMENTS,
  token_list: TOKEN_LIST_STATEMENTS,
  introspection: INTROSPECTION_STATEMENTS,
  token_lifetimes: TOKEN_LIFETIME_STATEMENTS,
  account_access_consents: ACCOUNT_ACCESS_CONSENT_STATEMENTS,
  payment_order_consents: PAYMENT_ORDER_CONSENT_STATEMENTS,
  core_permissions: CORE_PERMISSION_STATEMENTS,
  permissions_of_account: PERMISSION_LIST_STATEMENTS.account,
  permissions_of_psp: PERMISSION_LIST_STATEMENTS.psp,
  permission_of_id: PERMISSION_LIST_STATEMENTS.consent,
  permissions_counted: PERMISSION_COUNT_STATEMENTS.account,
  "permissions_of_psp counted": PERMISSION_COUNT_STATEMENTS.psp,
  permission_of_id_counted: PERMISSION_COUNT_STATEMENTS.consent,
  withdrawal: { find: WITHDRAWAL_STATEMENTS.find },
  withdrawal_of_one: WITHDRAWAL_STATEMENTS.one,
  withdrawal_of_all: WITHDRAWAL_STATEMENTS.all,
  core_codes: CORE_CODE_STATEMENTS,
  tickets: TICKET_STATEMENTS,
  account_blocks: ACCOUNT_BLOCK_STATEMENTS,
  account_data: ACCOUNT_DATA_STATEMENTS,
  retention: RETENTION_STATEMENTS,
  interest: INTEREST_STATEMENTS,
  watches: WATCH_STATEMENTS,
  standings: STANDING_STATEMENTS,
  issuers: ISSUER_STATEMENTS,
  met_psps: MET_STATEMENTS,
  met_list: MET_LIST_STATEMENTS,
  met_news: MET_NEWS_STATEMENTS,
  notices: NOTICE_STATEMENTS,
  institutions_in_turn: INSTITUTION_STATEMENTS,
  events: EVENT_STATEMENTS,
  used_codes: USED_CODE_STATEMENTS,
  event_review: EVENT_REVIEW_STATEMENTS,
  webhooks: WEBHOOK_STATEMENTS,
  webhook_changes: WEBHOOK_CHANGE_STATEMENTS,
  webhook_secrets: SECRET_STATEMENTS,
  deliveries: DELIVERY_STATEMENTS,
  due_deliveries: DUE_STATEMENTS,
  event_retention: EVENT_RETENTION_STATEMENTS,
  key_use: KEY_USE_STATEMENTS,
  account_keys: ACCOUNT_KEY_STATEMENTS,
  command_acts: COMMAND_ACT_STATEMENTS,
  operator_passes: OPERATOR_PASS_STATEMENTS,
  console_sessions: CONSOLE_SESSION_STATEMENTS,
  console_institutions: CHOSEN_INSTITUTION_STATEMENTS,
  console_checks: CONSOLE_CHECK_STATEMENTS,
  console_once: CONSOLE_ONCE_STATEMENTS,
  people: PEOPLE_STATEMENTS,
  sign_in_links: SIGN_IN_LINK_STATEMENTS,
  sign_in_institution: SIGN_IN_INSTITUTION_STATEMENTS,
  provider_secrets: PROVIDER_SECRET_STATEMENTS,
  own_credentials: OWN_CREDENTIAL_STATEMENTS,
  sign_in_providers: SIGN_IN_PROVIDER_STATEMENTS,
}).flatMap(([store, statements]) =>
  Object.entries<string>(statements).map(([name, sql]) => [`${store} ${name}`, sql] as const),
);

async function explain(sql: string): Promise<string[]> {
  const names = [...sql.matchAll(/:(\w+)/g)].map(([, name = ""]) => [name, null] as const);
  const [numbered] = named(`EXPLAIN QUERY PLAN ${sql}`, Object.fromEntries(names));
  const parameters = Math.max(0, ...[...numbered.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number)));
  const bound = env.DB.prepare(numbered).bind(...Array<null>(parameters).fill(null));
  return (await bound.all<{ detail: string }>()).results.map(({ detail }) => detail);
}

test.each(STATEMENTS)("%s scans no table and sorts nothing", async (name, sql) => {
  const plan = await explain(sql);
  console.log(`${name}: ${plan.join("; ") || "(no rows to find)"}`);
  // rows of the statement itself, the list that it is given as JSON, and those that a subquery or a recursion has found, are no table
  const walks = plan.filter((step) =>
    /\bSCAN (?!CONSTANT ROW|\w+ VIRTUAL TABLE|\d+-ROW VALUES|(?:interest|receiver|due)\b|\(subquery-\d+\))|TEMP B-TREE|AUTOMATIC/.test(
      step,
    ),
  );
  expect(walks).toEqual([]);
});

/** The operator's: those of institutions are few, so they are walked through; what was found of two days is grouped. */
const OPERATORS_STATEMENTS = [
  COUNT_PSPS,
  ...(await overhear((DB) => listInstitutions({ DB }, 0))),
  ...(await overhear((DB) => countLiveTokens({ DB }, 0))),
  ...(await overhear((DB) => removeInstitution({ DB }, -1, 0))),
];

test("every index is how some statement finds its rows", async () => {
  const indexes = env.DB.prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL");
  const names = (await indexes.all<{ name: string }>()).results.map(({ name }) => name);
  const statements = [...STATEMENTS.map(([, sql]) => sql), ...OPERATORS_STATEMENTS];
  const plans = (await Promise.all(statements.map(explain))).flat();
  const unused = names.filter((name) => !plans.some((step) => step.split(/[ ()]/).includes(name)));
  expect(names).toContain("tokens_by_account");
  expect(unused).toEqual([]);
});

/** Of the lists of what a PSP has at an FI, a page at a time; and of seeks and counts that are bounded. */
const BY_PSP = /^(permissions_of_psp .*|payment_order_consents list|interest .*)$/;

// a PSP may have a row for each customer of the FI: another statement would read them all
test.each(STATEMENTS.filter(([name]) => !BY_PSP.test(name)))("%s is not found by PSP", async (_, sql) => {
  expect((await explain(sql)).filter((step) => /_by_psp\b/.test(step))).toEqual([]);
});

test("the check itself can fail: a search without an index is a scan", async () => {
  expect((await explain("SELECT id FROM tokens WHERE psp_id = ?1")).join()).toMatch(/\bSCAN\b/);
});
