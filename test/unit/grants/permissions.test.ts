/**
 * Any sequence of what banks, PSPs and customers do, over two FIs, two PSPs and two accounts, by isolates whose clocks
 * differ by up to an hour each way: the statements run on SQLite, beside a model that only knows which grant is alive, by
 * the order of the steps. No token is active that should be dead, none is dead that should be active, and the list of
 * permissions agrees.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  authoriseAccountAccessConsent,
  insertAccountAccessConsent,
  revokeAccountAccessConsent,
} from "../../../src/grants/account-access-consents.ts";
import { setBlock } from "../../../src/grants/account-block.ts";
import { noteCoreCode } from "../../../src/grants/core-flow.ts";
import { abandonToken, insertRevokedToken, insertToken, type NewToken } from "../../../src/grants/new-token.ts";
import { authorisePaymentOrderConsent, insertPaymentOrderConsent } from "../../../src/grants/payment-order-consents.ts";
import { findEnd, type Permission } from "../../../src/grants/permission.ts";
import { searchPermissions } from "../../../src/grants/permission-list.ts";
import { makeRecordId } from "../../../src/grants/record-order.ts";
import { findInactivity, findIntrospection, findToken, isActive, revokeToken } from "../../../src/grants/tokens.ts";
import { withdrawAll, withdrawPermission } from "../../../src/grants/withdrawal.ts";
import { SCOPES, type Scope } from "../../../src/registers/entitlement.ts";
import { asD1, openDatabase } from "./sqlite-database.ts";

const START = Date.parse("2030-01-01T00:00:00Z");
const CODE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** A clock that is an hour ahead takes every token for expired. */
const LIFETIME_SECONDS = 3_000;
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
/** By how much the clock of the isolate that carries out a step is wrong, in milliseconds. */
const off = fc.constantFrom(0, 0, 0, -200, 200, -4_000, -HOUR_MS, HOUR_MS);
/** Its caller was told 503, and it is carried out so many steps later; null: at once. */
const held = fc.constantFrom(null, null, null, 1, 2, 3, 6);
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("consent" as const), place, seconds: fc.constantFrom(0, 4_000) }),
  },
  {
    weight: 7,
    arbitrary: fc.record({ do: fc.constant("code" as const), place, underConsent: fc.boolean(), pick, off }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("token" as const), pick, times: fc.constantFrom(1, 1, 2), off }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("withdraw" as const), place, pick, by, off, held }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("withdraw all" as const), place, by, off, held }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("revoke token" as const), pick, off }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("replay" as const), pick, off }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("abandon" as const), pick, off }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete consent" as const), pick, off }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("retention" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("block" as const), place, scopes: fc.subarray([...SCOPES]) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("institution" as const), fiId: mostly(FIS), on: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("wait" as const), seconds: fc.constantFrom(1, 61, 3_700, 11_000) }),
  },
);
/**
 * What few draws would bring together: a block that holds up a token and refuses another, a withdrawal of what lives, and one
 * that is carried out late and finds what the customer has agreed to since.
 */
const story = fc
  .tuple(place, by, fc.constantFrom("block", "withdrawal", "late withdrawal"))
  .map(([place, by, about]): Step[] => {
    const code = { do: "code", place, underConsent: false, pick: 0, off: 0 } as const;
    const token = { do: "token", pick: 0, times: 1, off: 0 } as const;
    if (about === "block") return [code, token, code, { do: "block", place, scopes: [...SCOPES] }, token];
    const withdrawal = {
      do: "withdraw all",
      place,
      by,
      off: -HOUR_MS,
      held: about === "withdrawal" ? null : 3,
    } as const;
    return about === "withdrawal" ? [code, token, withdrawal] : [code, token, withdrawal, code, token];
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
  /** In which step it was authorised last. */
  agreed: number;
  ended: boolean;
  /** It was ended before it ran out, by the clock of who did it. */
  inTime: boolean;
  /** Of a payment order: the token that has consumed it. */
  tokenId: string | null;
  endsAt: number | null;
}
interface Code extends Place {
  consent: Consent | null;
  /** In which step. */
  agreed: number;
  agreedAfter: number;
  expiresAt: number;
  withdrawn: boolean;
}
interface MadeToken {
  token: NewToken;
  consent: Consent | null;
  /** Of its code. */
  agreed: number;
  /** Which it belongs to is a matter of clocks, so the model asks. */
  permissionId: string;
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
  /** The number of the step. */
  let turn = 0;
  const arriving: { at: number; arrive: () => Promise<void> }[] = [];
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
  const seen = { active: 0, refused: 0, blocked: 0, ended: 0, anew: 0, skewed: 0 };
  const endConsent = (consent: Consent, at: number) => {
    if (!consent.ended) consent.inTime = consent.endsAt === null || at < consent.endsAt;
    consent.ended = true;
  };
  /** The step of the last withdrawal, or of a beginning that ended all before, by place. */
  const withdrawals = new Map<string, number>();
  const lines = new Set<string>();
  /** In which step a permission without a consent was ended. */
  const coreEnds = new Map<string, number>();
  const noteCoreEnds = async (place: Pick<Place, "fiId" | "accountId">, at: number) => {
    for (const { id, consentId, endedBy } of await list(place))
      if (consentId === null && endedBy !== null && !coreEnds.has(id)) coreEnds.set(id, at);
  };
  /** Ends what was agreed to before the step `asked`, of the fitting. */
  const endBefore = (asked: number, at: number, fitting: (grant: MadeToken | Code | Consent) => boolean) => {
    for (const consent of consents)
      if (consent.authorised && fitting(consent) && consent.agreed < asked) endConsent(consent, at);
    for (const made of tokens)
      if (fitting(made)) {
        if (made.agreed < asked) made.revoked = true;
        else if (isLive(made)) seen.anew++;
      }
    for (const code of codes) if (fitting(code) && code.agreed < asked) code.withdrawn = true;
  };
  const placeIn = (grant: MadeToken | Code | Consent): Place => ("token" in grant ? grant.token : grant);

  /** Carries it out at once, or only its ticket is taken; the rest then arrives some steps later. */
  const carryOut = async (
    held: number | null,
    work: (db: D1Database) => Promise<unknown>,
    then: () => Promise<void>,
  ): Promise<void> => {
    if (held === null) {
      await work(db);
      return then();
    }
    let late: () => unknown = () => {};
    let calls = 0;
    const slow = asD1(sqlite, async (carry) => {
      if (++calls === 1) return carry();
      late = carry;
      throw new Error("no answer");
    });
    await expect(work(slow)).rejects.toThrow("no answer");
    arriving.push({
      at: turn + held,
      arrive: async () => {
        late();
        await then();
      },
    });
  };

  const list = async (account: Pick<Place, "fiId" | "accountId">): Promise<Permission[]> => {
    const found: Permission[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const search = { fiId: account.fiId, by: "account", value: account.accountId } as const;
      const page = await searchPermissions(db, search, { after, onlyOpen: false, limit: 3 }, now);
      found.push(...page.permissions);
      after = page.next;
      more = after !== null;
    }
    return found;
  };

  const authorise = async (consent: Consent, accountId: string, at: number): Promise<number | null> => {
    const work = consent.scope === "accounts" ? authoriseAccountAccessConsent : authorisePaymentOrderConsent;
    const answer = await work(db, consent, consent.id, accountId, at);
    const consumed = consent.tokenId !== null;
    const allowed = isAlive(consent, at) && !consumed && !isBlocked({ ...consent, accountId });
    const fitting = !consent.authorised || consent.accountId === accountId;
    expect(answer.ok).toBe(allowed && fitting);
    if (!answer.ok) return null;
    Object.assign(consent, { accountId, authorised: true, agreed: turn });
    return answer.agreedAfter;
  };

  /** What the code should give. */
  const mayGive = (code: Code, at: number): boolean => {
    if (isBlocked(code) || code.withdrawn) return false;
    if (code.consent === null) return true;
    return isAlive(code.consent, at) && (code.scope === "accounts" || code.consent.tokenId === null);
  };

  const play = async (step: Step): Promise<void> => {
    // no two events fall into one millisecond
    now += 7;
    turn++;
    for (const { arrive } of arriving.filter(({ at }) => at === turn)) await arrive();
    const at = "off" in step ? now + step.off : now;
    if (at !== now) seen.skewed++;
    switch (step.do) {
      case "consent": {
        const id = makeRecordId(now);
        const [owner, { seconds }] = [step.place, step];
        const endsAt = seconds > 0 && owner.scope === "accounts" ? now + seconds * 1000 : null;
        const open = { expirationDateTime: null, transactionFromDateTime: null, transactionToDateTime: null };
        if (owner.scope === "accounts")
          await insertAccountAccessConsent(db, owner, { id, permissions: ["ReadBalances"], ...open, endsAt }, now);
        else await insertPaymentOrderConsent(db, owner, { id, initiation: {} }, now);
        consents.push({
          ...owner,
          id,
          authorised: false,
          agreed: 0,
          ended: false,
          inTime: false,
          tokenId: null,
          endsAt,
        });
        return;
      }
      case "code": {
        const consent = step.underConsent ? newest(consents, step.pick) : undefined;
        const made = (agreedAfter: number) => ({
          agreed: turn,
          agreedAfter,
          expiresAt: at + CODE_MS,
          withdrawn: false,
        });
        if (!consent) {
          const { agreedAfter, block } = await noteCoreCode(db, step.place, at);
          expect(block.scopes.includes(step.place.scope)).toBe(isBlocked(step.place));
          const place = placeOf(step.place);
          // the last moment before this step
          if (!lines.has(place)) withdrawals.set(place, turn - 0.25);
          lines.add(place);
          if (isBlocked(step.place)) return;
          codes.push({ ...step.place, consent: null, ...made(agreedAfter) });
          return;
        }
        const { accountId } = step.place;
        const agreedAfter = await authorise(consent, accountId, at);
        if (agreedAfter !== null) {
          const { fiId, pspId, scope } = consent;
          codes.push({ fiId, pspId, scope, accountId, consent, ...made(agreedAfter) });
        }
        return;
      }
      case "token": {
        const [code] = codes.splice(-1 - step.pick, 1);
        if (!code) return;
        if (at >= code.expiresAt) return;
        const { fiId, pspId, accountId, scope, consent, agreed, agreedAfter } = code;
        const id = makeRecordId(at);
        const token = { id, kid: "k", fiId, pspId, accountId, scope, consentId: consent?.id ?? null };
        const made = { ...token, issuedAt: at, agreedAfter };
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
          const { permission_id } = sqlite.prepare("SELECT permission_id FROM tokens WHERE id = ?").get(id) ?? {};
          const permissionId = String(consent?.id ?? permission_id);
          tokens.push({ token: made, consent, agreed, permissionId, expiresAt, revoked: false });
          if (consent && scope === "payments") Object.assign(consent, { tokenId: id, agreed });
        }
        return;
      }
      case "withdraw": {
        const listed = await list(step.place);
        const permission = newest(listed.toReversed(), step.pick);
        const stranger = { ...step.place, fiId: step.place.fiId === 1 ? 2 : 1 };
        if (!permission) return;
        expect(await withdrawPermission(db, stranger, permission.id, step.by, now)).toBeNull();
        const { id, pspId, scope, consentId } = permission;
        const place = placeOf({ ...step.place, pspId, scope });
        const asked = turn;
        await carryOut(
          step.held,
          (slow) => withdrawPermission(slow, step.place, id, step.by, at),
          async () => {
            // of what has ended only the first withdrawal ends older codes
            const again = (withdrawals.get(place) ?? 0) > (coreEnds.get(id) ?? Number.POSITIVE_INFINITY);
            endBefore(asked, at, (grant) => {
              if ("token" in grant) return grant.permissionId === id;
              if ("authorised" in grant) return grant.id === id;
              if (consentId !== null) return grant.consent?.id === id;
              return grant.consent === null && placeOf(grant) === place && !again;
            });
            if (consentId === null && !again) withdrawals.set(place, Math.max(asked, withdrawals.get(place) ?? 0));
            await noteCoreEnds(step.place, asked - 0.5);
          },
        );
        return;
      }
      case "withdraw all": {
        const asked = turn;
        await carryOut(
          step.held,
          (slow) => withdrawAll(slow, step.place, step.by, at),
          async () => {
            endBefore(asked, at, (grant) => sameAccount(placeIn(grant), step.place));
            for (const place of lines)
              if (place.startsWith(`${step.place.fiId} ${step.place.accountId} `))
                withdrawals.set(place, Math.max(asked, withdrawals.get(place) ?? 0));
            await noteCoreEnds(step.place, asked - 0.5);
          },
        );
        return;
      }
      case "revoke token": {
        const made = newest(tokens, step.pick);
        if (!made) return;
        await revokeToken(db, made.token.fiId, made.token.id, at);
        made.revoked = true;
        const ended = (await list(made.token)).find(({ id }) => id === made.permissionId);
        if (ended && !tokens.some(({ permissionId, revoked }) => permissionId === ended.id && !revoked))
          expect(made.consent?.scope === "accounts" || ended.endedBy !== null).toBe(true);
        await noteCoreEnds(made.token, turn);
        return;
      }
      case "replay": {
        const made = newest(tokens, step.pick);
        if (!made) return;
        await insertRevokedToken(db, { ...made.token, issuedAt: at });
        made.revoked = true;
        await noteCoreEnds(made.token, turn);
        return;
      }
      case "abandon": {
        const made = newest(tokens, step.pick);
        // nobody received it, so nobody has revoked it
        if (!made || made.revoked) return;
        await abandonToken(db, { ...made.token, issuedAt: at });
        made.revoked = true;
        if (made.consent?.tokenId === made.token.id) made.consent.tokenId = null;
        return;
      }
      case "delete consent": {
        const consent = newest(consents, step.pick);
        if (consent?.scope !== "accounts") return;
        // one that has run out ended then, and the PSP's DELETE does not find it; but it is dead, whatever the clock
        const known = (consent.ended && consent.inTime) || consent.endsAt === null || at < consent.endsAt;
        expect((await revokeAccountAccessConsent(db, consent, consent.id, at)) !== null).toBe(known);
        endConsent(consent, at);
        endTokens((made) => made.consent === consent);
        return;
      }
      case "retention":
        // by whatever clock
        sqlite.exec("DELETE FROM core_codes");
        lines.clear();
        for (const code of codes) if (code.consent === null) code.withdrawn = true;
        return;
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
        const own = standing.filter(({ id }) => id === made.permissionId);
        expect(own.map(({ blocked }) => blocked)).toEqual([isBlocked(token)]);
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
            made.permissionId === permission.id,
        );
        const end = findEnd(permission, false, now);
        if (end) seen.ended++;
        else if (permission.consentId !== null) expect(permission.endedBy).toBe(null);
        // who has ended it first, has
        const { id, endsAt, endedBy } = permission;
        if (endedBy !== null) ends.set(id, ends.get(id) ?? { endsAt, endedBy });
        expect({ endsAt, endedBy }).toEqual(ends.get(id) ?? { endsAt, endedBy });
        expect(permission.hasToken).toBe(live.length > 0);
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
const code = { do: "code", place: somewhere, underConsent: false, pick: 0, off: 0 } as const;
const token = { do: "token", pick: 0, times: 1, off: 0 } as const;
const consent = { do: "consent", place: somewhere, seconds: 0 } as const;
const order = { ...consent, place: { ...somewhere, scope: "payments" } } as const;
const codeOfConsent = { ...code, underConsent: true } as const;
const wait = { do: "wait", seconds: 1 } as const;
const retention = { do: "retention" } as const;
const other = { ...code, place: { ...somewhere, pspId: PSPS[1] } } as const;
const all = { do: "withdraw all", place: somewhere, by: "bank", off: 0, held: null } as const;
const one = { do: "withdraw", place: somewhere, pick: 0, by: "bank", off: 0, held: null } as const;

test("whatever happens in whatever order, by clocks an hour apart: what should be dead is, and the list agrees", async () => {
  const seen = { active: 0, refused: 0, blocked: 0, ended: 0, anew: 0, skewed: 0 };
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
      ...{ seed: 27, numRuns: 150 },
      examples: [
        // a code that is older than a withdrawal by a clock that is behind
        [[code, { ...all, off: -200 }, token]],
        [[code, token, code, { ...one, off: -HOUR_MS }, token]],
        // a token that the clock of the withdrawal takes for expired, and that of a consent
        [[code, token, { ...all, off: HOUR_MS }]],
        [[{ ...consent, seconds: 4_000 }, codeOfConsent, token, { ...wait, seconds: 61 }, { ...all, off: HOUR_MS }]],
        // what was agreed to after a late withdrawal was asked for outlives it, by a new permission, an older one, or a consent
        [[code, token, { ...all, held: 3 }, code, token, wait]],
        [[code, token, all, code, token, { ...all, held: 3 }, code, token, wait]],
        [[consent, codeOfConsent, token, codeOfConsent, { ...one, held: 2 }, codeOfConsent, wait, token, token]],
        [[order, codeOfConsent, { ...all, held: 2 }, codeOfConsent, wait, { ...token, pick: 1 }, token]],
        // an older code took its place meanwhile
        [[order, codeOfConsent, { ...all, held: 3 }, codeOfConsent, { ...token, pick: 1 }, wait, wait]],
        // a code of before is none of that
        [[code, token, code, { ...all, held: 2 }, token, wait]],
        // a repeated withdrawal ends no new code
        [[code, token, one, code, one, token]],
        // each end of a token by a clock that takes it for expired
        [[code, token, { do: "revoke token", pick: 0, off: HOUR_MS }]],
        [[code, token, { do: "replay", pick: 0, off: HOUR_MS }]],
        [[consent, codeOfConsent, token, { do: "delete consent", pick: 0, off: HOUR_MS }]],
        // a row that was deleted revives no code
        [[code, retention, code, { ...token, pick: 1 }, token]],
        // a request of a clock that is behind begins another permission than the one that has ended
        [[code, token, code, { do: "replay", pick: 0, off: HOUR_MS }, { ...token, off: -200 }]],
        // of two PSPs' tokens one ends
        [[code, token, other, token, { do: "revoke token", pick: 0, off: 0 }]],
      ],
    },
  );
  // the property was not true for want of anything happening
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
});
