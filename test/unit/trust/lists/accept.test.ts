/** Who may sign which list, in which order lists come, and how pivots lead from the pinned signers to the present. */
import { beforeAll, describe, expect, test } from "vitest";
import { at, makeCertificate } from "../../../../fixtures/makers/made-pki.ts";
import {
  bytesOf,
  type Content,
  envelop,
  listContent,
  makeSigner,
  pointer,
  type Signer,
  signatureOf,
  signList,
} from "../../../../fixtures/makers/signed-list.ts";
import { isStale } from "../../../../src/trust/anchors.ts";
import { acceptTrustedList, type TrustedListInput } from "../../../../src/trust/lists/accept.ts";
import { LIST_MIME_TYPE, type Pointer } from "../../../../src/trust/lists/scheme.ts";

const NOW = Date.parse("2026-11-21T00:00:00Z");

let [pinned, next, last, czech, greek]: Signer[] = [];
let czechPointers: readonly Pointer[];

const signed = async (signer: Signer | undefined, content: Content = {}) => {
  if (!signer) throw new Error("no signer");
  return bytesOf(await signList(listContent(content), signer));
};

const take = async (bytes: Uint8Array, input: Partial<TrustedListInput> = {}) => {
  const answer = await acceptTrustedList({
    bytes,
    pinned: pinned ? [pinned.der] : [],
    pointers: null,
    loaded: new Map(),
    now: NOW,
    ...input,
  });
  return answer.ok ? answer : answer.reason;
};

beforeAll(async () => {
  [pinned, next, last, czech, greek] = await Promise.all(Array.from({ length: 5 }, () => makeSigner()));
  if (!czech || !greek) throw new Error("no signers");
  const pointers = pointer("CZ", [czech]) + pointer("EL", [greek]) + pointer("SK", [czech], "application/pdf");
  const answer = await take(await signed(pinned, { territory: "EU", pointers }));
  if (typeof answer === "string") throw new Error(answer);
  czechPointers = answer.list.pointers;
});

describe("the list of lists", () => {
  test("names each list's place, form, signers and operator, in English", () => {
    expect(czechPointers[0]).toEqual({
      territoryOnList: "CZ",
      location: "https://lists.example/CZ.xml",
      mimeType: LIST_MIME_TYPE,
      signers: [Buffer.from(czech?.der ?? []).toString("base64")],
      operatorName: "Office",
    });
  });

  test("is refused when signed by none of the pinned, even by one that it names itself", async () => {
    if (!next) throw new Error("no signer");
    const bytes = await signed(next, { territory: "EU", pointers: pointer("EU", [next]) });
    expect(await take(bytes)).toBe("unknown signer");
  });

  test("is refused without a next update: what it names would count for ever", async () => {
    expect(await take(await signed(pinned, { territory: "EU", nextUpdate: "" }))).toBe("content");
  });

  test("that names others than its signer for itself is taken, and told", async () => {
    if (!pinned || !next) throw new Error("no signer");
    const remarks = async (...own: Signer[]) => {
      const answer = await take(
        await signed(pinned, { territory: "EU", pointers: own.length ? pointer("EU", own) : "" }),
      );
      return typeof answer === "string" ? answer : answer.list.remarks;
    };
    expect(await remarks(next)).toEqual(["it names for itself others than the one who signed it"]);
    expect(await remarks(next, pinned)).toEqual([]);
    expect(await remarks()).toEqual([]);
  });

  test("is not asked of a national signer", async () => {
    expect(await take(await signed(czech, { territory: "EU" }), { pointers: czechPointers })).toBe("unknown signer");
  });
});

describe("a national list", () => {
  test("is taken when signed by one that the list of lists names for its country", async () => {
    const answer = await take(await signed(czech), { pointers: czechPointers });
    expect(answer).toMatchObject({ ok: true, stale: false, list: { territory: "CZ" } });
  });

  test.each<[what: string, signer: () => Signer | undefined, territory: string, reason: string]>([
    ["signed by another country's operator", () => greek, "CZ", "unknown signer"],
    ["of another country than its signer's", () => czech, "EL", "unknown signer"],
    ["signed by a pinned signer", () => pinned, "CZ", "unknown signer"],
    ["of a country that the list of lists does not name", () => czech, "XX", "unknown territory"],
    ["of a country that is only named with a list for people", () => czech, "SK", "unknown territory"],
    ["of no country", () => czech, "CZE", "content"],
    ["of none that it ends with", () => czech, "xCZ", "content"],
  ])("%s is refused", async (_what, signer, territory, reason) => {
    expect(await take(await signed(signer(), { territory }), { pointers: czechPointers })).toBe(reason);
  });

  // xmldsigjs writes a namespace's name into the canonical form as it is, quotes and all, and can so end its attribute
  test.each([
    ["EL", "EUgeneric"],
    ["EU", "EUlistofthelists"],
  ])("whose canonical form reads as the list of %s is refused", async (forged, kind) => {
    if (!czech) throw new Error("no signer");
    const type = `http://uri.etsi.org/TrstSvc/TrustedList/TSLType/${kind}`;
    const claimed = "<SchemeTerritory>CZ</SchemeTerritory>";
    const around = (write: (name: string) => string) =>
      write(`u"/><SchemeTerritory>${forged}</SchemeTerritory><!--`) + claimed + write('--><x:a xmlns:x="u');
    const published = around((name) => `<x:a xmlns:x='${name.replaceAll("<", "&lt;").replaceAll(">", "&gt;")}'/>`);
    const canonical = around((name) => `<x:a xmlns:x="${name}"></x:a>`);
    const content = listContent({ type });
    const signature = await signatureOf(content.replace(claimed, canonical), czech);
    const bytes = bytesOf(envelop(content.replace(claimed, published), signature));
    expect(await take(bytes, { pointers: czechPointers })).toBe("unknown signer");
  });

  test("is refused before any list of lists is loaded", async () => {
    expect(await take(await signed(czech))).toBe("no list of lists");
  });
});

describe("what is loaded already", () => {
  const [EARLIER, ISSUED, LATER] = ["2026-08-09T20:29:59.000Z", "2026-08-09T20:30:00.000Z", "2026-08-09T20:30:01.000Z"];
  test.each<[what: string, loaded: number, issuedAt: string | undefined, expected: "taken" | "older than loaded"]>([
    ["a newer list replaces it", 6, EARLIER, "taken"],
    ["the same list may be loaded again", 7, ISSUED, "taken"],
    ["the same number may be issued again", 7, EARLIER, "taken"],
    ["and the former list of that number is refused", 7, LATER, "older than loaded"],
    ["an older list is refused", 8, LATER, "older than loaded"],
    ["one of a lower number and the same date, too", 8, ISSUED, "older than loaded"],
    ["and one whose loaded date is not known", 8, undefined, "older than loaded"],
    ["which may be loaded again", 7, undefined, "taken"],
    ["a number that was too high may be corrected", 999_999, EARLIER, "taken"],
    ["a date that was too late may be corrected", 6, LATER, "taken"],
  ])("%s", async (_what, number, issuedAt, expected) => {
    const loaded = new Map([["CZ", { sequenceNumber: number, issuedAt }]]);
    const answer = await take(await signed(czech, { sequenceNumber: 7 }), { pointers: czechPointers, loaded });
    expect(typeof answer === "string" ? answer : "taken").toBe(expected);
  });

  test("stays when a list is issued later than tomorrow, which would be newer than all that come before", async () => {
    const day = 86_400_000;
    const at = async (time: number) => {
      const bytes = await signed(czech, { issued: new Date(time).toISOString() });
      const answer = await take(bytes, { pointers: czechPointers });
      return typeof answer === "string" ? answer : "taken";
    };
    expect([await at(NOW + day), await at(NOW + day + 1000)]).toEqual(["taken", "content"]);
  });

  test("is looked up by the country's usual code", async () => {
    const loaded = new Map([["GR", { sequenceNumber: 8 }]]);
    const bytes = await signed(greek, { territory: "EL", sequenceNumber: 7 });
    expect(await take(bytes, { pointers: czechPointers, loaded })).toBe("older than loaded");
  });
});

describe("a list is stale", () => {
  const END = "2026-11-21T00:00:00Z";
  // TS 119 612 section 5.3.15: the last issue of a closed list has to end each of its services
  test.each<[what: string, list: Parameters<typeof isStale>[0], now: number, stale: boolean]>([
    ["not at its next update", { source: "eIDAS", nextUpdate: END, granted: 1 }, NOW, false],
    ["a moment later", { source: "eIDAS", nextUpdate: END, granted: 1 }, NOW + 1, true],
    ["if it is closed and grants a service", { source: "eIDAS", nextUpdate: null, granted: 1 }, NOW, true],
    ["not if it is closed and grants none", { source: "eIDAS", nextUpdate: null, granted: 0 }, NOW, false],
    ["not if it is the operator's own, without an end", { source: "OBIE", nextUpdate: null, granted: 1 }, NOW, false],
  ])("%s", (_, list, now, stale) => {
    expect(isStale(list, now)).toBe(stale);
  });
});

describe("pivots", () => {
  const own = (signer: Signer | undefined) => (signer ? pointer("EU", [signer]) : "");
  const list = (signer: Signer | undefined, sequenceNumber: number, names: Signer | undefined, more: Content = {}) =>
    signed(signer, { territory: "EU", sequenceNumber, pointers: own(names), ...more });

  test("lead from the pinned signers to the present ones", async () => {
    const pivots = [await list(pinned, 10, next), await list(next, 20, last)];
    expect(await take(await list(last, 30, last), { pivots })).toMatchObject({ ok: true });
  });

  test("are not needed when a pinned signer signed the list", async () => {
    expect(await take(await list(pinned, 30, pinned), { pivots: [bytesOf("broken")] })).toMatchObject({ ok: true });
  });

  test("retire the signers that they no longer name", async () => {
    const pivots = [await list(pinned, 10, next), await list(next, 20, last)];
    expect(await take(await list(next, 30, next), { pivots })).toBe("unknown signer");
  });

  test("must each be signed by those known before", async () => {
    const pivots = [await list(next, 10, last)];
    expect(await take(await list(last, 30, last), { pivots })).toBe("unknown signer");
  });

  test("go on from each other once one of them is signed by a pinned signer", async () => {
    const pivots = [await list(pinned, 10, next), await list(czech, 20, last)];
    for (const signer of [last, next])
      expect(await take(await list(signer, 30, signer), { pivots })).toBe("unknown signer");
  });

  test("are none that cannot be verified for another reason than their signer", async () => {
    const pivots = [bytesOf("broken"), await list(pinned, 10, next)];
    expect(await take(await list(next, 30, next), { pivots })).toBe("not well-formed");
  });

  // as in the list of lists of August 2026, five of whose pivots lead from signers of 2019 to those of the Journal of 2026
  test("that lead to the pinned signers are passed over", async () => {
    const pivots = [await list(last, 5, pinned), await list(pinned, 10, next)];
    expect(await take(await list(next, 30, next), { pivots })).toMatchObject({ ok: true });
  });

  test("from before the newest pinned certificate do not lead back to signers whom the Journal no longer names", async () => {
    const issued = "2025-12-31T23:59:59Z"; // a second before
    const pivots = [await list(pinned, 10, next, { issued })];
    const older = makeCertificate({ subject: "Older", notBefore: at("2020-01-01T00:00:00Z") }).certificate.der;
    for (const others of [[], [older]])
      expect(
        await take(await list(next, 30, next), { pivots, pinned: [...others, ...(pinned ? [pinned.der] : [])] }),
      ).toBe("unknown signer");
    const later = [...pivots, await list(pinned, 20, next, { issued: "2026-01-01T00:00:00Z" })];
    expect(await take(await list(next, 30, next), { pivots: later })).toMatchObject({ ok: true });
  });

  test.each([10, 20])("must come in order: number %i does not follow 20", async (number) => {
    const pivots = [await list(pinned, 20, next), await list(next, number, last)];
    expect(await take(await list(last, 30, last), { pivots })).toBe("pivots");
  });

  // of 2026; half a year later all that they signed has been replaced
  test.each([
    ["in the half year after", "2027-06-30T00:00:00Z", { ok: true }],
    ["later", "2027-07-04T00:00:00Z", "unknown signer"],
  ])("a pinned signer whose certificate has ended begins: %s", async (_, now, result) => {
    const begin = { now: Date.parse(now), pivots: [await list(pinned, 10, next)] };
    const answers = [await take(await list(pinned, 30, pinned), begin), await take(await list(next, 30, next), begin)];
    for (const answer of answers)
      if (typeof result === "string") expect(answer).toBe(result);
      else expect(answer).toMatchObject(result);
    // a loaded list of lists says itself who signs the next one
    const namedBy = { sequenceNumber: 29, issuedAt: "2026-03-01T00:00:00Z" };
    expect(await take(await list(pinned, 30, pinned), { ...begin, namedBy })).toMatchObject({ ok: true });
  });

  test("a pinned signer who was retired before begins nothing, though others do", async () => {
    const begin = {
      pinned: [pinned, last].flatMap((one) => one?.der ?? []),
      retired: pinned ? [pinned.der] : [],
      pivots: [await list(pinned, 10, next)],
    };
    expect(await take(await list(pinned, 30, pinned), begin)).toBe("unknown signer");
    expect(await take(await list(next, 30, next), begin)).toBe("unknown signer");
    expect(await take(await list(last, 30, last), begin)).toMatchObject({ ok: true });
  });

  test("do not lead to a national list", async () => {
    const pivots = [await list(pinned, 10, czech)];
    expect(await take(await signed(czech), { pivots, pointers: czechPointers })).toMatchObject({ ok: true });
    expect(await take(await signed(last), { pivots, pointers: czechPointers })).toBe("pivots");
  });

  test("are lists of lists", async () => {
    const pivots = [await signed(pinned, { territory: "CZ", pointers: own(next) })];
    expect(await take(await list(next, 30, next), { pivots })).toBe("pivots");
  });

  test("are named by the list, newest first", async () => {
    const uri = (text: string) => `<URI xml:lang="en">${text}</URI>`;
    const addresses = [
      "https://eur-lex.example/oj",
      "https://lotl.example/eu-lotl-pivot-378.xml",
      "https://lotl.example/eu-lotl-pivot-341.xml",
      "https://lotl.example/pivot-lotl-explanation.html",
    ];
    const bytes = await signed(pinned, { territory: "EU", information: addresses.map(uri).join("") });
    expect(await take(bytes)).toMatchObject({ list: { pivots: addresses.slice(1, 3) } });
  });
});
