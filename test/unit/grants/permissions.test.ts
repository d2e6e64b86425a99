/**
 * Any sequence of what banks, PSPs and customers do, over two FIs, two PSPs and two accounts: the statements run on
 * SQLite, beside a model that only knows which grant is alive. No token is active that should be dead, none is dead that
 * should be active, and the list of permissions agrees.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  authoriseAccountAccessConsent,
  insertAccountAccessConsent,
  revokeAccountAccessConsent,
} from "../../../src/grants/account-access-consents.ts";
import { setBlock } from "../../../src/grants/account-block.ts";
import { findInactivity, findIntrospection } from "../../../src/grants/introspection.ts";
import { abandonToken, insertRevokedToken, insertToken, type NewToken } from "../../../src/grants/new-token.ts";
import { authorisePaymentOrderConsent, insertPaymentOrderConsent } from "../../../src/grants/payment-order-consents.ts";
import { findEnd, type Permission } from "../../../src/grants/permission.ts";
import { listPermissions } from "../../../src/grants/permission-list.ts";
import { makeRecordId } from "../../../src/grants/record-id.ts";
import { SCOPES, type Scope } from "../../../src/grants/scopes.ts";
import { findToken, isActive, revokeToken, type Token } from "../../../src/grants/tokens.ts";
import { withdrawAll, withdrawPermission } from "../../../src/grants/withdrawal.ts";
import { asD1, openDatabase } from "./sqlite-database.ts";

const START = Date.parse("2030-01-01T00:00:00Z");
const CODE_MS = 60_000;
const LIFETIME_SECONDS = 300;
const FIS: [number, number] = [1, 2];
const PSPS: [string, string] = ["PSDXX-TEST-000001", "PSDXX-TEST-000002"];
const ACCOUNTS: [string, string] = ["account-1", "account-2"];

/** Mostly the first, so that much happens to one. */
const mostly = <Value>([first, second]: [Value, Value]) => fc.constantFrom(first, first, first, first, second);
const place = fc.record({
  fiId: mostly(FIS),
  pspId: mostly(PSPS),
  accountId: mostly(ACCOUNTS),
  scope: fc.constantFrom<Scope>(...SCOPES),
});
/** Which of those made so far, the newest first. */
const pick = fc.constantFrom(0, 0, 0, 1, 2);
const by = fc.constantFrom("bank" as const, "customer" as const);
/** By how much a request arrived before what was carried out already: it is judged as of its arrival. */
const late = fc.constantFrom(0, 0, 10, 30);
/** Or its caller was told 503, and more has been asked for since. */
const longLate = fc.constantFrom(0, 0, 10, 30, 5_000, 5_000, 15_000);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("consent" as const), place, seconds: fc.constantFrom(0, 200) }) },
  { weight: 7, arbitrary: fc.record({ do: fc.constant("code" as const), place, underConsent: fc.boolean(), pick }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("token" as const), pick, times: fc.constantFrom(1, 1, 2), late }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("withdraw" as const), place, pick, by, late }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("withdraw all" as const), place, by, late: longLate }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("revoke token" as const), pick, late }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("replay" as const), pick, late }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("abandon" as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete consent" as const), pick, late }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("block" as const), place, scopes: fc.subarray([...SCOPES]) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("institution" as const), fiId: mostly(FIS), on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("wait" as const), seconds: fc.constantFrom(1, 10, 61, 301) }) },
);
/**
 * What few draws would bring together: a block that holds up a token and refuses another, a withdrawal of what lives, and one
 * that is carried out late and finds what the customer has agreed to since.
 */
const story = fc
  .tuple(place, by, fc.constantFrom("block", "withdrawal", "late withdrawal"))
  .map(([place, by, about]): Step[] => {
    const code = { do: "code", place, underConsent: false, pick: 0 } as const;
    const token = { do: "token", pick: 0, times: 1, late: 0 } as const;
    if (about === "block") return [code, token, code, { do: "block", place, scopes: [...SCOPES] }, token];
    const withdrawal = { do: "withdraw all", place, by, late: about === "withdrawal" ? 0 : 5_000 } as const;
    return about === "withdrawal" ? [code, token, withdrawal] : [code, token, code, token, withdrawal];
  });
const steps = fc
  .array(fc.oneof({ weight: 9, arbitrary: step.map((one) => [one]) }, { weight: 2, arbitrary: story }), {
    ...{ maxLength: 20, size: "max" },
  })
  .map((each) => each.flat());
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
type Place = Pick<NewToken, "fiId" | "pspId" | "accountId" | "scope">;

interface Consent extends Place {
  id: string;
  authorised: boolean;
  /** The first authorization. */
  grantedAt: number;
  ended: boolean;
  /** Of a payment order: the token that has consumed it. */
  tokenId: string | null;
  endsAt: number | null;
}
interface Code extends Place {
  consent: Consent | null;
  issuedAt: number;
  withdrawn: boolean;
}
interface MadeToken {
  token: NewToken;
  consent: Consent | null;
  expiresAt: number;
  revoked: boolean;
}

function makeWorld() {
  const sqlite = openDatabase();
  for (const id of FIS)
    sqlite.exec(`
      INSERT INTO financial_institutions (id, name, fi_reference_id, created_at)
      VALUES (${id}, 'n', 'PSDXX-TEST-${id}', 0)`);
  const db = asD1(sqlite, async (carryOut) => carryOut());
  let now = START;
  const [consents, codes, tokens]: [Consent[], Code[], MadeToken[]] = [[], [], []];
  const blocks = new Set<string>();
  const disabled = new Set<number>();
  const blockOf = ({ fiId, accountId, scope }: Omit<Place, "pspId">) => `${fiId} ${accountId} ${scope}`;
  const isBlocked = (given: Place) => blocks.has(blockOf(given));
  const isAlive = ({ ended, endsAt }: Consent, at = now) => !ended && (endsAt === null || endsAt > at);
  const isLive = ({ revoked, expiresAt }: MadeToken) => !revoked && expiresAt > now;
  const newest = <Made>(made: Made[], pick: number): Made | undefined => made.at(-1 - pick);
  const endTokens = (fitting: (made: MadeToken) => boolean) => {
    for (const made of tokens) if (fitting(made)) made.revoked = true;
  };
  const sameAccount = (a: Pick<Place, "fiId" | "accountId">, b: Pick<Place, "fiId" | "accountId">) =>
    a.fiId === b.fiId && a.accountId === b.accountId;
  const seen = { active: 0, refused: 0, blocked: 0, ended: 0, anew: 0 };

  const list = async (account: Pick<Place, "fiId" | "accountId">): Promise<Permission[]> => {
    const found: Permission[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const page = await listPermissions(db, account, { after, onlyOpen: false, limit: 3 }, now);
      found.push(...page.permissions);
      after = page.next;
      more = after !== null;
    }
    return found;
  };

  const authorise = async (consent: Consent, accountId: string): Promise<boolean> => {
    const work = consent.scope === "accounts" ? authoriseAccountAccessConsent : authorisePaymentOrderConsent;
    const answer = await work(db, consent, consent.id, accountId, now);
    const consumed = consent.tokenId !== null;
    const allowed = isAlive(consent) && !consumed && !isBlocked({ ...consent, accountId });
    const fitting = !consent.authorised || consent.accountId === accountId;
    expect(answer === "authorised").toBe(allowed && fitting);
    if (answer !== "authorised") return false;
    Object.assign(consent, { accountId, authorised: true, grantedAt: consent.authorised ? consent.grantedAt : now });
    return true;
  };

  /** What the code should give. */
  const mayGive = (code: Code, at: number): boolean => {
    if (isBlocked(code)) return false;
    if (code.consent === null) return !code.withdrawn;
    return isAlive(code.consent, at) && (code.scope === "accounts" || code.consent.tokenId === null);
  };

  const play = async (step: Step): Promise<void> => {
    // no two events fall into one millisecond
    now += 7;
    switch (step.do) {
      case "consent": {
        const id = makeRecordId(now);
        const [owner, { seconds }] = [step.place, step];
        const endsAt = seconds > 0 && owner.scope === "accounts" ? now + seconds * 1000 : null;
        const open = { expirationDateTime: null, transactionFromDateTime: null, transactionToDateTime: null };
        if (owner.scope === "accounts")
          await insertAccountAccessConsent(db, owner, { id, permissions: ["ReadBalances"], ...open, endsAt }, now);
        else await insertPaymentOrderConsent(db, owner, { id, initiation: {} }, now);
        consents.push({ ...owner, id, authorised: false, grantedAt: 0, ended: false, tokenId: null, endsAt });
        return;
      }
      case "code": {
        const consent = step.underConsent ? newest(consents, step.pick) : undefined;
        if (!consent) {
          if (!isBlocked(step.place)) codes.push({ ...step.place, consent: null, issuedAt: now, withdrawn: false });
          return;
        }
        const { accountId } = step.place;
        if (await authorise(consent, accountId)) {
          const { fiId, pspId, scope } = consent;
          codes.push({ fiId, pspId, scope, accountId, consent, issuedAt: now, withdrawn: false });
        }
        return;
      }
      case "token": {
        const [code] = codes.splice(-1 - step.pick, 1);
        if (!code) return;
        const at = Math.max(code.issuedAt, now - step.late);
        if (at >= code.issuedAt + CODE_MS) return;
        const { fiId, pspId, accountId, scope, consent } = code;
        const id = makeRecordId(at);
        const token = { id, kid: "k", fiId, pspId, accountId, scope, consentId: consent?.id ?? null };
        const made = { ...token, issuedAt: at, codeIssuedAt: code.issuedAt };
        const expected = mayGive(code, at);
        // an answer that was lost is asked for again
        for (let time = 0; time < step.times; time++) {
          const expiresAt = await insertToken(db, made, LIFETIME_SECONDS);
          const inTime = consent?.endsAt == null || Math.floor(consent.endsAt / 1000) * 1000 > at;
          const given = expected && inTime ? "token" : null;
          expect(typeof expiresAt === "number" ? "token" : expiresAt).toBe(
            given && disabled.has(fiId) ? "inactive" : given,
          );
          if (typeof expiresAt !== "number") {
            seen.refused++;
            return;
          }
          if (time > 0) continue;
          tokens.push({ token: made, consent, expiresAt, revoked: false });
          if (consent && scope === "payments") consent.tokenId = id;
        }
        return;
      }
      case "withdraw": {
        const listed = await list(step.place);
        const permission = newest(listed.toReversed(), step.pick);
        const stranger = { ...step.place, fiId: step.place.fiId === 1 ? 2 : 1 };
        if (!permission) return;
        expect(await withdrawPermission(db, stranger, permission.id, step.by, now)).toBe(false);
        const { pspId, scope } = permission;
        const place = { ...step.place, pspId, scope };
        const same = (given: Place) => placeOf(given) === placeOf(place);
        const consent = consents.find(({ id }) => id === permission.consentId);
        for (const at of [now - step.late, now - step.late + 1]) {
          // of what has ended only the first withdrawal ends the codes of before
          const [before] = (await list(step.place)).filter(({ id }) => id === permission.id);
          const again = (withdrawals.get(placeOf(place)) ?? 0) >= (before?.endsAt ?? Number.POSITIVE_INFINITY);
          expect(await withdrawPermission(db, step.place, permission.id, step.by, at)).toBe(true);
          if (consent) {
            // one that has expired ended then, and the PSP's DELETE does not find it
            if (isAlive(consent, at)) consent.ended = true;
            endTokens((made) => made.consent === consent);
            continue;
          }
          const open = before?.endedBy === null && findEnd(before, false, at) === null;
          if (open) endTokens((made) => made.consent === null && same(made.token));
          if (!again) withdrawCodes((code) => code.consent === null && same(code), [pspId], place, at);
        }
        return;
      }
      case "withdraw all": {
        const at = now - step.late;
        const isNewer = (agreedAt: number) => agreedAt > at + 3_000;
        // what the customer has agreed to anew stays: the last code of a permission that goes on
        const core = tokens.filter(({ token, consent }) => consent === null && sameAccount(token, step.place));
        const open = (await list(step.place)).filter((permission) => findEnd(permission, false, now) === null);
        const agreedAnew = ({ pspId, scope }: Place) =>
          open.some(
            (permission) =>
              permission.consentId === null &&
              permission.pspId === pspId &&
              permission.scope === scope &&
              core.some(
                ({ token }) =>
                  token.pspId === pspId &&
                  token.scope === scope &&
                  token.issuedAt >= permission.grantedAt &&
                  isNewer(token.codeIssuedAt),
              ),
          );
        const anew = new Set(core.filter(({ token }) => agreedAnew(token)));
        seen.anew += anew.size;
        await withdrawAll(db, step.place, step.by, at);
        for (const consent of consents)
          if (consent.authorised && isAlive(consent, at) && sameAccount(consent, step.place))
            consent.ended ||= !isNewer(consent.grantedAt);
        for (const made of tokens)
          if (sameAccount(made.token, step.place))
            made.revoked ||= made.consent ? !isNewer(made.consent.grantedAt) : !anew.has(made);
        for (const scope of SCOPES)
          withdrawCodes(
            (code) => sameAccount(code, step.place) && code.scope === scope,
            PSPS,
            { ...step.place, scope },
            at,
          );
        return;
      }
      case "revoke token": {
        const made = newest(tokens, step.pick);
        if (!made) return;
        await revokeToken(db, made.token.fiId, made.token.id, now - step.late);
        made.revoked = true;
        return;
      }
      case "replay": {
        const made = newest(tokens, step.pick);
        if (!made) return;
        await insertRevokedToken(db, { ...made.token, issuedAt: now - step.late });
        made.revoked = true;
        return;
      }
      case "abandon": {
        const made = newest(tokens, step.pick);
        // nobody received it, so nobody has revoked it
        if (!made || made.revoked) return;
        await abandonToken(db, { ...made.token, issuedAt: now });
        made.revoked = true;
        if (made.consent?.tokenId === made.token.id) made.consent.tokenId = null;
        return;
      }
      case "delete consent": {
        const consent = newest(consents, step.pick);
        if (consent?.scope !== "accounts") return;
        const known = isAlive(consent, now - step.late) || consent.ended;
        expect(await revokeAccountAccessConsent(db, consent, consent.id, now - step.late)).toBe(known);
        if (!known) return;
        consent.ended = true;
        endTokens((made) => made.consent === consent);
        return;
      }
      case "block": {
        const { scopes } = await setBlock(db, step.place, step.scopes, now);
        expect(scopes).toEqual(SCOPES.filter((scope) => step.scopes.includes(scope)));
        for (const scope of SCOPES)
          if (scopes.includes(scope)) blocks.add(blockOf({ ...step.place, scope }));
          else blocks.delete(blockOf({ ...step.place, scope }));
        return;
      }
      case "institution":
        sqlite.exec(
          `UPDATE financial_institutions SET status = '${step.on ? "active" : "disabled"}' WHERE id = ${step.fiId}`,
        );
        if (step.on) disabled.delete(step.fiId);
        else disabled.add(step.fiId);
        return;
      case "wait":
        now += step.seconds * 1000;
        return;
    }
  };
  const placeOf = ({ fiId, accountId, scope, pspId }: Place) => `${blockOf({ fiId, accountId, scope })} ${pspId}`;
  /** The last withdrawal at a place. */
  const withdrawals = new Map<string, number>();
  const withdrawCodes = (
    fitting: (code: Code) => boolean,
    psps: readonly string[],
    place: Omit<Place, "pspId">,
    at: number,
  ) => {
    for (const code of codes) if (fitting(code) && code.issuedAt <= at) code.withdrawn = true;
    for (const pspId of psps) {
      const key = placeOf({ ...place, pspId });
      withdrawals.set(key, Math.max(at, withdrawals.get(key) ?? 0));
    }
  };

  const ends = new Map<string, Pick<Permission, "endsAt" | "endedBy">>();
  const check = async (): Promise<void> => {
    const lists = new Map<string, Permission[]>();
    for (const fiId of FIS)
      for (const accountId of ACCOUNTS) lists.set(`${fiId} ${accountId}`, await list({ fiId, accountId }));
    for (const made of tokens) {
      const { token, consent } = made;
      const found = await findToken(db, token.fiId, token.id);
      const active = found !== null && isActive(found, now);
      expect(active).toBe(isLive(made) && !isBlocked(token));
      // token information and introspection are of one mind
      const introspection = await findIntrospection(db, token.fiId, token.id);
      expect(introspection !== null && findInactivity(introspection, now) === null).toBe(active);
      if (active) seen.active++;
      else if (isLive(made)) seen.blocked++;
      // the list agrees: one open permission stands for each live token
      const standing = (lists.get(`${token.fiId} ${token.accountId}`) ?? []).filter(
        (permission) =>
          permission.pspId === token.pspId &&
          permission.scope === token.scope &&
          permission.consentId === (consent?.id ?? null) &&
          findEnd(permission, true, now) === null &&
          permission.hasToken,
      );
      if (isLive(made)) {
        expect(standing.map(({ blocked }) => blocked)).toEqual([isBlocked(token)]);
        expect(standing[0]?.endsAt === null || (standing[0]?.endsAt ?? 0) >= made.expiresAt).toBe(true);
      }
    }
    for (const [account, permissions] of lists) {
      expect(permissions.map(({ id }) => id)).toEqual(
        permissions
          .map(({ id }) => id)
          .toSorted()
          .toReversed(),
      );
      for (const permission of permissions) {
        const live = tokens.filter(
          (made) =>
            isLive(made) &&
            `${made.token.fiId} ${made.token.accountId}` === account &&
            made.token.pspId === permission.pspId &&
            made.token.scope === permission.scope &&
            (made.consent?.id ?? null) === permission.consentId,
        );
        const end = findEnd(permission, false, now);
        if (end) seen.ended++;
        else expect(permission.endedBy).toBe(null);
        // who has ended it first, has
        const { id, endsAt, endedBy } = permission;
        if (endedBy !== null) ends.set(id, ends.get(id) ?? { endsAt, endedBy });
        expect({ endsAt, endedBy }).toEqual(ends.get(id) ?? { endsAt, endedBy });
        // of a core permission that has ended, the tokens are those of the next
        if (permission.consentId !== null || end === null) expect(permission.hasToken).toBe(live.length > 0);
        if (permission.consentId === null) expect(end === null).toBe(permission.hasToken);
        else {
          const consent = consents.find(({ id }) => id === permission.consentId);
          const used = consent?.scope === "payments" && consent.tokenId !== null && live.length === 0;
          expect(end === null).toBe(consent !== undefined && isAlive(consent) && !used);
        }
      }
    }
  };
  return { play, check, seen };
}

const somewhere: Place = { fiId: FIS[0], pspId: PSPS[0], accountId: ACCOUNTS[0], scope: "accounts" };
const code: Step = { do: "code", place: somewhere, underConsent: false, pick: 0 };
const token = { do: "token", pick: 0, times: 1, late: 0 } as const;
const wait: Step = { do: "wait", seconds: 10 };
const lateWithdrawal = { do: "withdraw all", place: somewhere, by: "bank", late: 5_000 } as const;

test("whatever happens in whatever order: what should be dead is, and the list of permissions agrees", async () => {
  const seen = { active: 0, refused: 0, blocked: 0, ended: 0, anew: 0 };
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const world = makeWorld();
      for (const step of steps) {
        await world.play(step);
        await world.check();
      }
      for (const key of Object.keys(seen) as (keyof typeof seen)[]) if (world.seen[key] > 0) seen[key]++;
    }),
    {
      numRuns: 150,
      examples: [
        // what was agreed to after a withdrawal was asked for outlives it, by a new permission or an older one
        [[code, token, wait, code, token, code, token, lateWithdrawal]],
        [[code, token, { ...lateWithdrawal, late: 0 }, wait, code, token, code, token, lateWithdrawal]],
        // a code of before is none of that
        [[code, token, code, wait, token, lateWithdrawal]],
        // a request that arrived before a permission ended, and was carried out after it, begins another one
        [[code, token, code, { do: "replay", pick: 0, late: 0 }, { ...token, late: 30 }]],
        // and one that ends it, too, changes nothing
        [
          [
            code,
            token,
            { do: "replay", pick: 0, late: 0 },
            { do: "withdraw all", place: somewhere, by: "bank", late: 10 },
          ],
        ],
      ],
    },
  );
  // the property was not true for want of anything happening: in some 55 of the sequences or more, of a deviation of 6
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10);
});

// 2 s: so far apart may the clocks of isolates be; from 3 s on it was granted after the withdrawal's caller was told 503
test.each([
  [-1, "ends"],
  [2_000, "ends"],
  [3_001, "stays"],
] as const)("what was granted %i ms after a withdrawal, by whatever clock, %s", async (apart, what) => {
  const sqlite = openDatabase();
  sqlite.exec(`
    INSERT INTO financial_institutions (id, name, fi_reference_id, created_at) VALUES (1, 'n', 'PSDXX-TEST-1', 0)`);
  const db = asD1(sqlite, async (carryOut) => carryOut());
  const [asked, granted] = [START + 10_000, START + 10_000 + apart];
  const account = { fiId: 1, accountId: "a" };
  const owner = { fiId: 1, pspId: "PSDXX-TEST-000001" };
  const ids: string[] = [];
  for (const [scope, isUnderConsent] of [
    ["accounts", true],
    ["payments", true],
    ["accounts", false],
  ] as const) {
    const consent = isUnderConsent ? makeRecordId(START) : null;
    if (consent !== null && scope === "accounts") {
      const open = { expirationDateTime: null, transactionFromDateTime: null, transactionToDateTime: null };
      const access = { id: consent, permissions: ["ReadBalances"] as const, ...open, endsAt: null };
      await insertAccountAccessConsent(db, owner, access, START);
      await authoriseAccountAccessConsent(db, owner, consent, "a", granted);
    } else if (consent !== null) {
      await insertPaymentOrderConsent(db, owner, { id: consent, initiation: {} }, START);
      await authorisePaymentOrderConsent(db, owner, consent, "a", granted);
    }
    const id = makeRecordId(granted);
    ids.push(id);
    // of the core flow an older token of the same permission, too
    for (const at of consent === null ? [START, granted] : [granted])
      await insertToken(
        db,
        {
          id: at === START ? makeRecordId(at) : id,
          kid: "k",
          ...owner,
          accountId: "a",
          scope,
          consentId: consent,
          issuedAt: at,
          codeIssuedAt: at,
        },
        LIFETIME_SECONDS,
      );
  }
  await withdrawAll(db, account, "bank", asked);
  const stays = what === "stays";
  const now = granted + 60_000;
  for (const id of ids) expect(isActive((await findToken(db, 1, id)) as Token, now)).toBe(stays);
  const { permissions } = await listPermissions(db, account, { after: null, onlyOpen: true, limit: 9 }, now);
  expect(permissions).toHaveLength(stays ? 3 : 0);
  // nor does the withdrawal of the core permission alone end it
  const [core] = (
    await listPermissions(db, account, { after: null, onlyOpen: false, limit: 9 }, now)
  ).permissions.filter(({ consentId }) => consentId === null);
  await withdrawPermission(db, account, core?.id ?? "", "bank", asked);
  expect(isActive((await findToken(db, 1, ids[2] ?? "")) as Token, now)).toBe(stays);
});
