/** The repo's own test lists (fixtures/suites/trusted-lists): which are taken, how they read, and which certificates they support. */
import { describe, expect, test } from "vitest";
import { publishList } from "../../../../fixtures/suites/trusted-lists/list-signer.ts";
import { FACTS } from "../../../../fixtures/suites/trusted-lists/list-suite.ts";
import {
  contentOf,
  makeListOfLists,
  makePivots,
  nationalList,
  PINNED,
  SIGNERS,
  TERRITORIES,
  type Territory,
} from "../../../../fixtures/suites/trusted-lists/list-world.ts";
import { type ListedService, provider } from "../../../../fixtures/suites/trusted-lists/listed-service.ts";
import { makeRefusedLists } from "../../../../fixtures/suites/trusted-lists/refused-lists.ts";
import { issueWorldPsp, WORLD_PSPS } from "../../../../fixtures/suites/trusted-lists/world-psps.ts";
import { QTSPS } from "../../../../fixtures/suites/trusted-lists/world-services.ts";
import { readPsp } from "../../../../src/eidas/psd2.ts";
import { fromBase64 } from "../../../../src/platform/encoding.ts";
import type { KnownAnchor } from "../../../../src/trust/anchors.ts";
import { type AcceptedList, acceptTrustedList, type TrustedListInput } from "../../../../src/trust/lists/accept.ts";
import { answerRefusals, type RefusalReason } from "../../../../src/trust/lists/elements.ts";
import { LIST_MIME_TYPE } from "../../../../src/trust/lists/scheme.ts";
import { verifyList } from "../../../../src/trust/lists/verify.ts";
import { parseCertificate } from "../../../../src/x509/certificate.ts";
import { checkValidity } from "../../eidas/check-validity.ts";
import { sentencesOf } from "../../eidas/sentences-of.ts";

const NOW = Date.parse("2026-11-21T00:00:00Z");
const listOfLists = await makeListOfLists();
const pivots = [...(await makePivots()).values()];
const lists = new Map<Territory, Uint8Array>();
for (const territory of TERRITORIES) lists.set(territory, await nationalList(territory));
const refused = await makeRefusedLists();

const take = (bytes: Uint8Array | undefined, input: Partial<TrustedListInput> = {}) =>
  acceptTrustedList({
    ...{ bytes: bytes ?? new Uint8Array(), pinned: PINNED, pivots: [], pointers: null, loaded: new Map(), now: NOW },
    ...input,
  });
async function mustTake(bytes: Uint8Array | undefined, input: Partial<TrustedListInput> = {}): Promise<AcceptedList> {
  const answer = await take(bytes, input);
  if (!answer.ok) throw new Error(answer.message);
  return answer;
}
const { list: world } = await mustTake(listOfLists, { pivots });
const { pointers } = world;

describe("the list of lists", () => {
  test("is taken by way of the pivots, and names each list with its signers", () => {
    expect(pointers.map(({ territoryOnList, mimeType }) => [territoryOnList, mimeType === LIST_MIME_TYPE])).toEqual([
      ["EU", true],
      ["XA", true],
      ["XB", true],
      ["EL", true],
      ["XC", false],
    ]);
    expect(pointers.map(({ signers }) => signers.length)).toEqual([2, 2, 1, 1, 2]);
    expect(world.pivots).toEqual([
      "https://lists.example/eu-lotl-pivot-20.xml",
      "https://lists.example/eu-lotl-pivot-10.xml",
    ]);
  });

  test.each<[string, () => Partial<TrustedListInput>]>([
    ["without its pivots", () => ({})],
    ["with the first pivot only", () => ({ pivots: pivots.slice(0, 1) })],
    ["with the second pivot only", () => ({ pivots: pivots.slice(1) })],
    ["by signers who are pinned nowhere", () => ({ pivots, pinned: SIGNERS.XA.map(({ der }) => der) })],
  ])("%s is signed by nobody known", async (_, input) => {
    expect(await take(listOfLists, input())).toMatchObject({ ok: false, reason: "unknown signer" });
  });

  test("needs no pivots once its present signers are the pinned ones", async () => {
    expect(await take(listOfLists, { pinned: SIGNERS.present.map(({ der }) => der) })).toMatchObject({ ok: true });
  });
});

describe("each list reads as it was made", () => {
  test.each(FACTS)("$territory", async ({ territory, ...facts }) => {
    const bytes = territory === "EU" ? listOfLists : lists.get(territory);
    const { list, stale } = await mustTake(bytes, { pivots: territory === "EU" ? pivots : [], pointers });
    expect(list).toMatchObject({ ...facts, territoryOnList: territory });
    // past its next update; closed, and yet granting
    expect(stale).toBe(territory === "XB" || territory === "EL");
  });

  test("what cannot be used of a list is left out by name", async () => {
    const { list } = await mustTake(lists.get("XB"), { pointers });
    expect(list.skipped).toEqual([
      expect.stringMatching(/^Cedar Trust Ltd: XB Disordered CA: .*order of time/),
      expect.stringMatching(/^Cedar Trust Ltd: Unreadable CA: certificate left out/),
    ]);
    expect(list.anchors.map(({ serviceName }) => serviceName)).toEqual([
      ...["XB Old CA", "XB Revived CA", "XB Accredited CA", "XB National CA"],
    ]);
  });

  test("names are the English ones where there are, and countries are ISO's", async () => {
    const { list: xa } = await mustTake(lists.get("XA"), { pointers });
    expect(xa.anchors[0]).toMatchObject({ qtspName: "Amber Trust Ltd", jurisdiction: "XA", source: "eIDAS" });
    const { list: greek } = await mustTake(lists.get("EL"), { pointers });
    expect(greek.anchors).toMatchObject([{ qtspName: "Πάροχος Α.Ε.", serviceName: "EL CA", jurisdiction: "GR" }]);
  });

  test("a service may hold Qualifications of any form", async () => {
    const qualifications =
      '<q:Qualifications xmlns:q="http://uri.etsi.org/TrstSvc/SvcInfoExt/eSigDir-1999-93-EC-TrustedList/#"><q:QualificationElement><q:Qualifiers><q:Qualifier uri="http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/NotQualified"></q:Qualifier></q:Qualifiers><q:CriteriaList assert="all"><q:KeyUsage><q:KeyUsageBit name="digitalSignature">true</q:KeyUsageBit></q:KeyUsage></q:CriteriaList></q:QualificationElement></q:Qualifications>';
    const service: ListedService = {
      name: { en: "Qualified by its list" },
      certificates: [QTSPS["XA Web CA"].certificate.der],
      periods: [{ status: "granted", from: "2019-05-01T12:00:00Z", uses: ["ForeSeals"], qualifications }],
    };
    const content = { ...contentOf("XA"), providers: provider({ en: "Amber Trust Ltd" }, [service]) };
    const bytes = await publishList(content, SIGNERS.XA[0]);
    expect(new TextDecoder().decode(bytes)).toContain(qualifications);
    expect(await take(bytes, { pointers })).toMatchObject({ ok: true, list: { caQcGrantedForeSeals: 1, skipped: [] } });
  });

  test("a service with two certificates is an anchor by each, with one history", async () => {
    const { list } = await mustTake(lists.get("XA"), { pointers });
    const both = list.anchors.filter(({ serviceName }) => serviceName === "XA Renewed CA");
    expect(new Set(both.map(({ certificate }) => certificate)).size).toBe(2);
    expect(both[0]?.periods).toEqual(both[1]?.periods);
  });
});

describe("a list is refused", () => {
  const rows = [...refused].map(([reason, one]) => ({ reason, ...one }));

  test.each(rows)("when $why: $reason", async ({ reason, bytes, circumstances = {} }) => {
    const { noListOfLists, loaded, pivots: own = [] } = circumstances;
    const answer = await take(bytes, {
      pivots: own,
      pointers: noListOfLists ? null : pointers,
      loaded: new Map(loaded ? [[loaded.territory, loaded]] : []),
    });
    expect(answer).toMatchObject({ ok: false, reason });
  });

  // the rest is refused for its circumstances, and verifies
  const BY_CIRCUMSTANCE: RefusalReason[] = [
    ...(["unknown signer", "content", "no list of lists"] as const),
    ...(["unknown territory", "pivots", "older than loaded"] as const),
  ];
  const broken = rows.filter(({ reason }) => !BY_CIRCUMSTANCE.includes(reason));
  test.each(broken)(
    "even if every signer of the world were permitted, when $why: $reason",
    async ({ bytes, reason }) => {
      const everybody = Object.values(SIGNERS)
        .flat()
        .map(({ der }) => der);
      const answer = await answerRefusals(async () => ({ ok: true, list: await verifyList(bytes, () => everybody) }));
      expect(answer).toMatchObject({ ok: false, reason });
    },
  );

  test("when one character of what is signed changes", async () => {
    const text = new TextDecoder().decode(lists.get("XB"));
    for (const [from, to] of [
      ["Svcstatus/withdrawn", "Svcstatus/granted"],
      ["2010-01-01T00:00:00Z", "2011-01-01T00:00:00Z"],
      ["Cedar", "Cedra"],
      // of the signature's own properties
      ["2026-08-09T20:35:00Z", "2026-08-09T20:35:01Z"],
    ] as const) {
      const changed = new TextEncoder().encode(text.replace(from, to));
      expect(await take(changed, { pointers })).toMatchObject({ reason: "digest" });
    }
  });
});

describe("the QTSP of a certificate is judged by these lists", async () => {
  const anchors: KnownAnchor[] = [];
  for (const territory of TERRITORIES) {
    const { list } = await mustTake(lists.get(territory), { pointers });
    for (const anchor of list.anchors)
      anchors.push({
        listed: { ...anchor, listSequenceNumber: 1, listIssuedAt: list.issued, listNextUpdate: list.nextUpdate },
        certificate: parseCertificate(fromBase64(anchor.certificate) ?? new Uint8Array()),
      });
  }

  test.each(WORLD_PSPS)("$id", async (psp) => {
    const leaf = issueWorldPsp(psp).certificate;
    const check = await checkValidity({
      ...{ leaf, issuers: [], claims: readPsp(leaf), anchors },
      now: Date.parse(psp.askedAt),
    });
    const { expected } = psp;
    if (expected instanceof RegExp) {
      expect(check.validity.validQTSP).toBe(false);
      expect(sentencesOf(check)).toContainEqual(expect.stringMatching(expected));
    } else {
      expect(check).toMatchObject({ validity: { validQTSP: true, validSignature: true }, anchor: expected });
    }
  });

  test("with a warning where the list is past its next update", async () => {
    const [psp] = WORLD_PSPS.filter(({ id }) => id === "issued after a withdrawal");
    if (!psp) throw new Error("the case is there");
    const leaf = issueWorldPsp(psp).certificate;
    const input = { leaf, issuers: [], claims: readPsp(leaf), anchors };
    expect(sentencesOf(await checkValidity({ ...input, now: NOW }))).toEqual([
      "the eIDAS trusted list of XB is stale: its next update was due at 2026-10-01T00:00:00Z",
    ]);
    expect((await checkValidity({ ...input, now: Date.parse("2026-09-30T00:00:00Z") })).warnings).toEqual([]);
  });
});
