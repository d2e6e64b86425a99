/**
 * Property: whatever changes in lists and registers, an institution is told exactly when the answer of a check changes, for
 * the PSPs that it watches or that have live grants there, and of no other. The answers are those of the check itself.
 */
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import type { WrittenEvent } from "../../../src/events/event.ts";
import { addRevocationNotice, storeGrantStanding } from "../../../src/events/observed-facts.ts";
import { readStanding } from "../../../src/events/standing.ts";
import { deleteWatch, insertWatch } from "../../../src/events/watches.ts";
import type { Chain } from "../../../src/psp-check/check-budget.ts";
import { checkRegisters } from "../../../src/registers/check.ts";
import { DEFAULT_REGISTER_MAX_AGES_MS } from "../../../src/registers/manifest.ts";
import type { CertificateUse } from "../../../src/trust/anchors.ts";
import { issuePsp, makeQtsp } from "../trust/made-qtsp.ts";
import { chainOf, DAY, type Entry, loadList, look, MINUTE, period, Schedule, show } from "./changing-world.ts";
import { addInstitution, addPermission, loadRegister, type MadePsp, pspId } from "./made-registers.ts";

/** Of worlds, each with its changes. More by hand, after a change of what is told. */
const WORLDS = 3;
const CHANGES = 8;

const JURISDICTIONS = ["XX", "XY"];
const PSPS = [1, 2, 3];
const crlUrl = "http://sandbox.invalid/ca.crl";
const qtsps = await Promise.all(
  ["One", "Two"].map((commonName) => makeQtsp({ organisation: "QTSP", commonName, crlUrl })),
);
const certificates = await Promise.all(
  (
    [
      [1, 0, "web"],
      [1, 0, "seal"],
      [1, 1, "web"],
      [2, 1, "seal"],
      [3, 0, "web"],
    ] as const
  ).map(async ([number, by, type]) => {
    const wish = { organisation: "PSP", commonName: "psp.example", authNumber: pspId(number), type };
    const qtsp = qtsps[by];
    if (!qtsp) throw new Error("no such QTSP");
    return { number, chain: chainOf(await issuePsp(qtsp, wish)) };
  }),
);
const institutions = await Promise.all(["A", "B"].map((name) => addInstitution(`PSDXX-TEST-SILENT${name}`)));

const status = fc.constantFrom("granted", "granted", "withdrawn");
const uses = fc.subarray<CertificateUse>(["web-authentication", "seal"], { minLength: 1 });
const nth = fc.nat(9);
const of = <Kind extends string, Fields>(kind: Kind, fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> }) =>
  fc.record({ kind: fc.constant(kind), ...fields }) as fc.Arbitrary<{ kind: Kind } & Fields>;
const jurisdiction = fc.constantFrom("XX", "XX", "XY");
const number = fc.constantFrom(...PSPS);
const psp = fc.record({
  status: fc.constantFrom("Authorised" as const, "Authorised" as const, "Withdrawn" as const, "Unauthorised" as const),
  services: fc.subarray([1, 7, 8]),
  passportOut: fc.constantFrom<Record<string, number[]>>({}, { FI: [8] }, { FI: [7, 8], SE: [7] }),
});
const change = fc.oneof(
  of("period", { entry: nth, status, uses }),
  of("drop", { entry: nth }),
  of("list", { qtsp: fc.nat(1), jurisdiction, status, uses }),
  of("move", { entry: nth, jurisdiction }),
  of("stale", { jurisdiction, stale: fc.boolean() }),
  of("register", { number, psp: fc.option(psp) }),
  of("double", { number }),
  of("show", { certificate: fc.nat(certificates.length - 1) }),
  of("revoked", { certificate: fc.nat(certificates.length - 1) }),
  of("interest", { fi: fc.nat(1), number, how: fc.constantFrom("none", "watch", "grant") }),
  of("same", {}),
);
type Change = typeof change extends fc.Arbitrary<infer Drawn> ? Drawn : never;

let now = Date.parse("2026-11-20T12:00:00Z");

class World {
  readonly #schedule = new Schedule();
  #entries: Entry[] = qtsps.map((qtsp) => ({ qtsp, jurisdiction: "XX", periods: [period("granted")] }));
  #psps: MadePsp[] = PSPS.map((number) => ({ number }));
  readonly #stale = new Set<string>();
  readonly #shown = new Set<Chain>();
  readonly #revoked = new Set<Chain>();

  async begin(): Promise<void> {
    for (const table of ["psp_watches", "psp_standings", "core_permissions", "shown_certificates", "notices", "events"])
      await env.DB.prepare(`DELETE FROM ${table}`).run();
    await this.#load();
  }

  /** Makes the change, and holds what was told against what the check answered before and answers then. */
  async make(change: Change): Promise<void> {
    const before = await this.#answers();
    const interested = await this.#interests();
    const revoked = await this.#apply(change);
    await this.#load();
    const after = await this.#answers();
    for (const [i, fiId] of institutions.entries()) {
      const events = (await this.#schedule.told(fiId)).filter(({ type }) => type !== "source.stale");
      for (const number of PSPS) {
        const ofPsp = events.filter(({ data }) => data.psp_id === pspId(number));
        const expected =
          change.kind === "interest" || !interested[i]?.has(number)
            ? NOTHING
            : this.#expect(number, before, after, revoked);
        expect({ institution: i, number, ...summarise(ofPsp) }).toEqual({ institution: i, number, ...expected });
      }
    }
  }

  #expect(number: number, before: Answers, after: Answers, revoked: Chain | null): Told {
    const ofPsp = certificates.filter((one) => one.number === number).map(({ chain }) => chain);
    const lost = ofPsp.filter((chain) => this.#shown.has(chain) && before.valid.has(chain) && !after.valid.has(chain));
    const registers = [before, after].map(({ registers }) => registers.get(number) ?? "");
    return {
      lost: lost.map(({ leaf }) => leaf.fingerprint).sort(),
      registers: registers[0] === registers[1] ? [] : registers,
      revoked: revoked && ofPsp.includes(revoked) ? [revoked.leaf.fingerprint] : [],
    };
  }

  async #load(): Promise<void> {
    await loadRegister(this.#psps, now);
    for (const jurisdiction of JURISDICTIONS) {
      const nextUpdate = now + (this.#stale.has(jurisdiction) ? -DAY : 30 * DAY);
      const entries = this.#entries.filter((entry) => entry.jurisdiction === jurisdiction);
      await loadList(entries, now, { jurisdiction, nextUpdate });
    }
    now = await this.#schedule.settle(now + 5 * MINUTE);
  }

  async #answers(): Promise<Answers> {
    const valid = new Set<Chain>();
    const registers = new Map<number, string>();
    for (const { number, chain } of certificates) {
      const { validity, home } = await look(chain, now);
      if (validity.validQTSP && validity.validSignature) valid.add(chain);
      const question = { authNumber: pspId(number), home, host: home, subjectName: null, codes: true, now };
      const entries = ["FI", "SE"].map((jurisdiction) => {
        const { homeRegister } = checkRegisters({ ...question, jurisdiction, maxAges: DEFAULT_REGISTER_MAX_AGES_MS });
        return homeRegister.categoryEntries.map(({ pspAuthStatus, pspPaymentServices, passportOut }) => ({
          ...{ status: pspAuthStatus, services: pspPaymentServices, passport: passportOut?.paymentServices ?? [] },
        }));
      });
      registers.set(number, JSON.stringify([home?.ambiguous, ...entries]));
    }
    return { valid, registers };
  }

  async #interests(): Promise<Set<number>[]> {
    const rows = env.DB.prepare(
      "SELECT psp_id FROM psp_watches WHERE fi_id = ?1 AND ended_at IS NULL UNION SELECT psp_id FROM core_permissions WHERE fi_id = ?1",
    );
    return await Promise.all(
      institutions.map(async (fiId) => {
        const { results } = await rows.bind(fiId).all<{ psp_id: string }>();
        return new Set(PSPS.filter((number) => results.some(({ psp_id }) => psp_id === pspId(number))));
      }),
    );
  }

  /** Returns the certificate that was found revoked for the first time. */
  async #apply(change: Change): Promise<Chain | null> {
    const replace = (at: number, entry: (known: Entry) => Entry[]) => {
      const chosen = at % Math.max(1, this.#entries.length);
      this.#entries = this.#entries.flatMap((known, i) => (i === chosen ? entry(known) : [known]));
    };
    switch (change.kind) {
      case "period":
        replace(change.entry, (known) => [
          { ...known, periods: [...known.periods, period(change.status, change.uses, now)] },
        ]);
        break;
      case "drop":
        replace(change.entry, () => []);
        break;
      case "move":
        replace(change.entry, (known) => [{ ...known, jurisdiction: change.jurisdiction }]);
        break;
      case "list": {
        const qtsp = qtsps[change.qtsp];
        if (qtsp)
          this.#entries.push({
            ...{ qtsp, jurisdiction: change.jurisdiction },
            periods: [period("granted"), period(change.status, change.uses, now)],
          });
        break;
      }
      case "stale":
        this.#stale[change.stale ? "add" : "delete"](change.jurisdiction);
        break;
      case "register":
      case "double": {
        const { number } = change;
        const others = this.#psps.filter((known) => known.number !== number);
        const entries =
          change.kind === "double" ? [{ number }, { number }] : change.psp ? [{ number, ...change.psp }] : [];
        this.#psps = [...others, ...entries];
        break;
      }
      case "show":
      case "revoked": {
        const chosen = certificates[change.certificate];
        if (!chosen) break;
        const { chain, number } = chosen;
        const check = await show(chain, now);
        if (check.validity.validQTSP) this.#shown.add(chain);
        if (change.kind === "show" || this.#revoked.has(chain)) break;
        await addRevocationNotice(env.DB, chain, check, pspId(number), now);
        this.#revoked.add(chain);
        return chain;
      }
      case "interest":
        await setInterest(institutions[change.fi] ?? 0, change.number, change.how);
        break;
      case "same":
    }
    return null;
  }
}

interface Answers {
  readonly valid: ReadonlySet<Chain>;
  readonly registers: ReadonlyMap<number, string>;
}

interface Told {
  /** Certificates to which the check says no longer yes, by SHA-256. */
  readonly lost: readonly string[];
  /** What the register said and says; empty if it says the same. */
  readonly registers: readonly string[];
  readonly revoked: readonly string[];
}

const NOTHING: Told = { lost: [], registers: [], revoked: [] };

interface Category {
  readonly status: string;
  readonly payment_services: number[];
  readonly passports: Record<string, number[]>;
}

function summarise(events: readonly WrittenEvent[]): Told {
  const of = (type: string) => events.filter((event) => event.type === type).map(({ data }) => data);
  const said = (standing: unknown): string => {
    const { ambiguous, categories } = standing as { ambiguous: boolean; categories: Category[] };
    const entries = ["FI", "SE"].map((country) =>
      categories.map(({ status, payment_services, passports }) => ({
        ...{ status, services: payment_services, passport: passports[country] ?? [] },
      })),
    );
    return JSON.stringify([ambiguous, ...entries]);
  };
  for (const { before, after } of of("qtsp.withdrawn"))
    expect([before, after]).toMatchObject([{ status: "granted" }, { reason: expect.any(String) }]);
  return {
    lost: of("qtsp.withdrawn")
      .flatMap(({ after }) => (after as { certificates: string[] }).certificates)
      .sort(),
    registers: of("psp.status_changed").flatMap(({ before, after }) => [said(before), said(after)]),
    revoked: of("psp.certificate_revoked").map(({ after }) => (after as { certificate: string }).certificate),
  };
}

async function setInterest(fiId: number, number: number, how: string): Promise<void> {
  await deleteWatch(env.DB, fiId, pspId(number), now);
  const end = env.DB.prepare("DELETE FROM core_permissions WHERE fi_id = ?1 AND psp_id = ?2");
  await end.bind(fiId, pspId(number)).run();
  if (how === "watch") await insertWatch(env.DB, fiId, pspId(number), await readStanding(env, pspId(number), now), now);
  if (how !== "grant") return;
  const shown = certificates.find((one) => one.number === number);
  const { home } = shown ? await look(shown.chain, now) : { home: null };
  if (home) await storeGrantStanding(env, env.DB, fiId, pspId(number), home, now);
  await addPermission(fiId, pspId(number), now + 300 * DAY, `${fiId} ${number}`);
}

test("an institution is told exactly what changes of the answers on PSPs in which it has an interest", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new Error("no network")));
  const interests = fc.array(of("interest", { fi: fc.nat(1), number, how: fc.constantFrom("watch", "grant") }), {
    minLength: 3,
    maxLength: 4,
  });
  const shows = fc.constant(certificates.map((_, certificate) => ({ kind: "show", certificate }) as const));
  const changes = fc.array(change, { minLength: CHANGES, maxLength: CHANGES, size: "max" });
  const property = fc.asyncProperty(interests, shows, changes, async (first, shown, then) => {
    const world = new World();
    await world.begin();
    for (const change of [...shown.slice(0, 3), ...first, ...then]) await world.make(change);
  });
  await fc.assert(property, { numRuns: WORLDS });
  vi.unstubAllGlobals();
}, 300_000);
