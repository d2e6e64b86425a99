/**
 * `npm run node test/sim/past-faults.ts [NAME...]`: puts faults back into the Worker, one at a time, and says in which history each
 * is found. Most were in the service once, or are what a line was written against. Exits with 1 if one is not found. The
 * histories are noted in seeds/past-faults.json: the suite runs them, so that none of these faults comes back.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { prepare, runHistory } from "./history.ts";
import type { ThemeName } from "./themes.ts";
import type { Patch } from "./worker-function.ts";

interface PastFault {
  readonly name: string;
  /** Of all histories in which it is looked for; null: any. */
  readonly theme: ThemeName | null;
  readonly patches: readonly Patch[];
}

type Texts = readonly (readonly [from: string, to: string])[];

const fault = (name: string, ...patches: Texts): PastFault => rareFault(null, name, ...patches);

/** One that only histories of a theme show. */
const rareFault = (theme: ThemeName | null, name: string, ...patches: Texts): PastFault => ({
  ...{ name, theme },
  patches: patches.map(([from, to]) => ({ from, to })),
});

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: texts of the Worker
export const PAST_FAULTS: readonly PastFault[] = [
  fault("the withdrawal goes by the clock", [
    "AND revoked_at IS NULL AND agreed_after < :ticket ${ofToken}",
    "AND revoked_at IS NULL AND issued_at <= :now ${ofToken}",
  ]),
  fault("a code works twice", ["if (tokenId !== null) return { ok: false", "if (false) return { ok: false"]),
  fault("a record is lost in required", [
    "const entry = { ...made.entry, withheld: true };",
    "return true; const entry = { ...made.entry, withheld: true };",
  ]),
  fault("a token that was revoked before it is stored lives", [
    "revoked_at = min(revoked_at, excluded.expires_at)",
    "revoked_at = NULL",
  ]),
  fault("a late DELETE lifts a later block", ["WHERE excluded.ticket > account_blocks.ticket", ""]),
  fault("a code is burnt by D1", ["= await giveCodeBack(env, code", "= true || await giveCodeBack(env, code"]),
  fault("a code lives for ever", [".now >= stored.expiresAt) return", ".now === stored.expiresAt) return"]),
  fault("a code works for another PSP", ["|| stored.pspId !== attempt", "|| false && stored.pspId !== attempt"]),
  fault("introspection forgets the block", ['return token.blocked ? "account_blocked" : null', "return null"]),
  fault("a token is stored while its account is blocked", [
    "WHERE ${UNBLOCKED} AND ${CODE_IS_ALIVE}",
    "WHERE ${CODE_IS_ALIVE}",
  ]),
  fault("a code from before a withdrawal works", ["WHERE ${UNBLOCKED} AND ${CODE_IS_ALIVE}", "WHERE ${UNBLOCKED}"]),
  fault("a withdrawal forgets codes under way", [
    "coreCodes: `UPDATE core_codes SET codes_after = :ticket ",
    "coreCodes: `UPDATE core_codes SET codes_after = min(codes_after, :ticket) ",
  ]),
  fault("a replay revokes nothing", ["await retryStore(revoke, ", "await (async (..._) => {})("]),
  fault("records are dropped after one failure", [
    "queue.sending = { ...sending, again: true, at: 0 }",
    "queue.sending = null",
  ]),
  fault("a withdrawn consent gives tokens", [
    "WHERE ${CONSENT} AND status = 'Authorised' AND codes_after <= :agreedAfter\n      AND (ends_at",
    "WHERE ${CONSENT}\n      AND (ends_at",
  ]),
  fault("a withdrawal leaves tokens", [
    "min(:now, expires_at)\n    WHERE ${ACCOUNT} AND revoked_at IS NULL",
    "min(:now, expires_at)\n    WHERE ${ACCOUNT} AND revoked_at = 0",
  ]),
  fault("a code is given back after a replay", ["if (stored.replayed || givenBack", "if (givenBack"]),
  rareFault("redemptions", "a late copy of a redemption uses the code", [
    "givenBack };\n  if (givenBack.includes(",
    "givenBack };\n  if (false && givenBack.includes(",
  ]),
  rareFault("redemptions", "a token that was given back is stored beside the next", [
    "const before = abandonStatements(db, token, abandoned);",
    "const before = [];",
  ]),
  rareFault("redemptions", "a payment order stays used by a token that nobody got", [
    "WHERE ${CONSENT} AND token_id = :id`,",
    "WHERE ${CONSENT} AND token_id = ''`,",
  ]),
  fault("a payment order gives two tokens", [
    "WHERE ${CONSENT} AND status = 'Authorised' AND ended_by IS NULL AND codes_after",
    "WHERE ${CONSENT} AND ended_by IS NULL AND codes_after",
  ]),
  rareFault("late", "a late PUT blocks what was lifted since", [
    "WHERE excluded.ticket > account_blocks.ticket",
    "WHERE excluded.ticket > account_blocks.ticket OR account_blocks.lifted_at IS NOT NULL",
  ]),
  rareFault("regret", "a late withdrawal ends what was agreed to since", [
    "AND revoked_at IS NULL AND agreed_after < :ticket ${ofToken}",
    "AND revoked_at IS NULL AND :ticket > 0 ${ofToken}",
  ]),
  fault("a late withdrawal ends codes that were issued since", [
    "coreCodes: `UPDATE core_codes SET codes_after = :ticket ",
    "coreCodes: `UPDATE core_codes SET codes_after = (SELECT last + 1 FROM tickets) ",
  ]),
  fault(
    "a record that is sent again is there twice",
    ["const fresh = mayBeHere ? ", "const fresh = false ? "],
    ["if (first === void 0 || this.has(first.id)) return 0;", "if (first === void 0) return 0;"],
  ),
  fault("a record that is sent again is not looked for in closed segments", ["!(stored.has(id) || ", "!(false || "]),
  fault("a first attempt that comes late is not looked for", [
    "const mayBeHere = again ||",
    "const mayBeHere = again; false &&",
  ]),
  fault("records wait for a request that has ended", ["if (waitingRecords.has(fi.id)) takeUp(", "if (false) takeUp("]),
  rareFault("events", "an older register takes the place of one that changed nothing", [
    "?.published ?? stored.manifest?.published;",
    " && stored.manifest?.published;",
  ]),
  fault("a late enabling undoes a disabling", [
    'WHERE fi_reference_id = ?1 AND ${isNewerStatus("?3", "?2")}',
    "WHERE fi_reference_id = ?1 AND ?3 > 0",
  ]),
  rareFault("QTSPs", "an older answer of a QTSP takes the place of a newer one", [
    "if (a.thisUpdate !== b.thisUpdate) return a.thisUpdate > b.thisUpdate;",
    "return true;",
  ]),
  rareFault("silence", "a revocation is forgotten when its answer ends", [
    "revocations > 0 || isUnknown === true",
    "isUnknown === true",
  ]),
  fault("an unknown is forgotten", [".isUnknown || !each.some(", ".isUnknown || false && each.some("]),
  fault("an answer counts after its next update", [
    "if (nextUpdate !== null && nextUpdate < now)",
    "if (nextUpdate !== null && nextUpdate < 0)",
  ]),
  fault("an event is lost when its receiver fails", [
    "UPDATE webhook_deliveries SET attempts = :attempts, first_at = :firstAt, next_at = :nextAt, outcome = :outcome",
    "UPDATE webhook_deliveries SET status = 'dead', ended_at = :nextAt, attempts = :attempts, first_at = :firstAt, outcome = :outcome",
  ]),
  fault("an event overtakes an earlier one of its PSP", [
    "AND earlier.status = 'pending' AND earlier.event_seq < delivery.event_seq)`",
    "AND earlier.status = 'none')`",
  ]),
  rareFault("news", "an event is listed twice", [
    " === pspId ? id : `",
    " === pspId ? `${id} ${crypto.randomUUID()}` : `",
  ]),
  fault("what KV may show as it was before is told as a change", [
    " = runs >= seenRun + SETTLE_RUNS || settleRuns(",
    " = true || settleRuns(",
  ]),
  fault("a code is kept for ever", ["await this.ctx.storage.setAlarm(keepUntil);", ""]),
  fault("the counts of an address are kept for ever", [
    "if (alarmAt === null) await this.ctx.storage.setAlarm(",
    "void (",
  ]),
  fault("a withdrawal leaves tokens that its clock takes for expired", [
    "AND revoked_at IS NULL AND agreed_after < :ticket ${ofToken}",
    "AND revoked_at IS NULL AND expires_at > :now AND agreed_after < :ticket ${ofToken}",
  ]),
  fault("a deleted consent leaves its tokens", ["db.batch([revoke, revokeTokens].map(", "db.batch([revoke].map("]),
  fault("the list of permissions counts revoked tokens", [
    "AND tokens.revoked_at IS NULL AND tokens.${permission} IS NOT NULL)",
    "AND tokens.${permission} IS NOT NULL)",
  ]),
  fault("the list of permissions forgets consents", [
    "${page(column, IS_OPEN)}`,\n      paymentOrderConsents",
    "${page(column, IS_OPEN)} OFFSET 1`,\n      paymentOrderConsents",
  ]),
  rareFault("EBA", "an older file of the EBA takes the place of a newer one", [
    "if (newer)\n    return { ok: false, message: `${url} was published",
    "if (false)\n    return { ok: false, message: `${url} was published",
  ]),
  rareFault("EBA", "a file that is published again lets one from between pass", [
    "some(({ published }) => published >= metadata.published)",
    "some(() => true)",
  ]),
  rareFault("EBA", "the digest of an EBA file is not verified", [
    "if (options.sha256 !== null && options.sha256.toLowerCase() !== ",
    "if (false && options.sha256.toLowerCase() !== ",
  ]),
  rareFault("EBA", "a bank that one fetch lacks is withdrawn at once", [
    "Date.parse(absentSince) >= AGREEMENT_MS",
    "Date.parse(absentSince) >= 0",
  ]),
  rareFault("floods", "isolates do not hear of each other", [
    "this.#window = new RequestWindow(all);",
    "this.#window = new RequestWindow(reported);",
  ]),
  rareFault("floods", "an object forgets the counts of an address", [
    'new RequestWindow(this.ctx.storage.kv.get("counts"))',
    "new RequestWindow()",
  ]),
  rareFault("floods", "counts of an address never leave its window", [
    "at >= second - WINDOW_SECONDS &&",
    "at >= second - 2 * WINDOW_SECONDS &&",
  ]),
  fault("records of the default ledger wait for a later request", [
    "await scheduler.wait(0);\n  for (let failures = 0;",
    "await scheduler.wait(4000);\n  for (let failures = 0;",
  ]),
  rareFault("lists", "a list is imported while KV may not show the import before", [
    "if (!last || last.what === what || Math.abs(now - last.at) >= SETTLE_MS) return null;",
    "return null;",
  ]),
  rareFault("lists", "a national list is taken by an older list of lists", [
    "async function findNewestListOfLists(db) {",
    "async function findNewestListOfLists(db) { return null;",
  ]),
  fault("an older list takes the place of a newer one", [
    "if (before && isOlder({ sequenceNumber, issuedAt: issued }, before))",
    "if (false)",
  ]),
  fault("the signature of a list is not verified", [
    'if (!ok) throw new ListRefused("signature value"',
    'if (false) throw new ListRefused("signature value"',
  ]),
  fault("a list that is named no longer keeps its services", [
    "const empty = { source, jurisdiction, ",
    "return { ok: true, stepState, unfinished: false, heavy: false, summary }; const empty = { source, jurisdiction, ",
  ]),
  fault("a replay ends the token and not its permission", [
    "...settleStatements(db, token, endedBy), settlePaymentStatement",
    "settlePaymentStatement",
  ]),
  rareFault("people", "a session outlives its end", [
    " AND p.epoch = s.epoch\n    LEFT JOIN financial",
    "\n    LEFT JOIN financial",
  ]),
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: texts of the Worker

const NOTED = join(import.meta.dirname, "seeds/past-faults.json");

interface NotedHistory {
  readonly theme: ThemeName | null;
  readonly seed: string;
}

/** The history that showed it last, by the name of each fault that was found. */
export const readNoted = (): Record<string, NotedHistory> =>
  JSON.parse(readFileSync(NOTED, "utf8")) as Record<string, NotedHistory>;

function note(name: string, found: NotedHistory | null): void {
  const { [name]: _, ...others } = readNoted();
  const all = Object.entries({ ...others, ...(found && { [name]: found }) }).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(NOTED, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}

/** As many as a core runs in two minutes. */
const MOST_HISTORIES = 600;

async function main(names: readonly string[]): Promise<void> {
  for (const { name, theme, patches } of PAST_FAULTS) {
    if (names.length > 0 && !names.includes(name)) continue;
    const setup = await prepare(patches);
    const begun = process.cpuUsage();
    let said = "not found";
    let found: NotedHistory | null = null;
    for (let seed = 0; seed < MOST_HISTORIES; seed++) {
      const history = { theme, seed: String(seed) };
      const [first] = (await runHistory(setup, history.seed, { theme })).broken;
      if (!first) continue;
      found = history;
      const { user, system } = process.cpuUsage(begun);
      said = `history ${seed + 1}, ${((user + system) / 1e6).toFixed(1)} s: "${first.promise}": ${first.how}`;
      break;
    }
    note(name, found);
    if (found === null) process.exitCode = 1;
    console.log(`${name}: ${said}`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main(process.argv.slice(2));
