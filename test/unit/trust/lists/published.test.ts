/** The lists of shared/data/trusted-lists, each taken or refused as its expected.json says. */
import { beforeAll, describe, expect, test, vi } from "vitest";
import { bytesOf } from "../../../../fixtures/makers/signed-list.ts";
import { canonicalCountry } from "../../../../src/platform/country.ts";
import { fromBase64, toHex } from "../../../../src/platform/encoding.ts";
import { type AcceptedList, acceptTrustedList } from "../../../../src/trust/lists/accept.ts";
import { answerRefusals } from "../../../../src/trust/lists/elements.ts";
import { readServices } from "../../../../src/trust/lists/list.ts";
import { PINNED_JOURNAL, PINNED_SIGNERS } from "../../../../src/trust/lists/pinned-signers.ts";
import type { Pointer } from "../../../../src/trust/lists/scheme.ts";
import { verifyList } from "../../../../src/trust/lists/verify.ts";
import { parseCertificate } from "../../../../src/x509/certificate.ts";
import { AttributeType, findAttribute, nameKey } from "../../../../src/x509/name.ts";
import { readShared, sharedData } from "../../../shared-data.ts";

interface Expected {
  readonly file: string;
  readonly take: boolean;
  readonly why?: string;
  readonly territory?: string;
}

const LISTS = "trusted-lists";
const expected: Expected[] = sharedData ? JSON.parse(readShared(`${LISTS}/expected.json`)) : [];
const taken = expected.filter((one) => one.take);
const broken = expected.filter((one) => !one.take);
const NOW = Date.parse("2026-11-21T00:00:00Z");

/** Of each list that is verified, the root of what its signer signed, by the list's bytes. */
const signed = vi.hoisted(() => new WeakMap<Uint8Array, Parameters<typeof readServices>[0]>());
vi.mock(import("../../../../src/trust/lists/verify.ts"), async (importOriginal) => {
  const original = await importOriginal();
  const verifyList: typeof original.verifyList = async (bytes, signersOf) => {
    const verified = await original.verifyList(bytes, signersOf);
    signed.set(bytes, verified.root);
    return verified;
  };
  return { ...original, verifyList };
});

const take = async (text: string, pointers: readonly Pointer[] | null) => {
  const bytes = bytesOf(text);
  const answer = await acceptTrustedList({ bytes, pointers, loaded: new Map(), now: NOW });
  const root = signed.get(bytes);
  // its megabytes are read at once, and let go
  return { ...answer, services: answer.ok && root ? readServices(root) : null };
};
type Taken = ReturnType<typeof take>;

describe.runIf(sharedData)("the published lists", () => {
  let pointers: readonly Pointer[] = [];
  beforeAll(async () => {
    const answer = await take(readShared(`${LISTS}/EU-LOTL.xml`), null);
    if (!answer.ok) throw new Error(answer.message);
    pointers = answer.list.pointers;
  });

  /** What becomes of each file, once for all tests: a list's megabytes are canonicalised and parsed twice. */
  const answers = new Map<string, Taken>();
  const takeFile = (file: string): Taken => {
    const answer = answers.get(file) ?? take(readShared(`${LISTS}/${file}`), pointers);
    answers.set(file, answer);
    return answer;
  };

  test.each(taken)("$file is taken, and reads as expected", async ({ file, take: _take, territory, ...fields }) => {
    const answer = await takeFile(file);
    expect(answer).toMatchObject({ ok: true, list: { ...fields, territoryOnList: territory, skipped: [] } });
  });

  test("the list of lists names the notice of the Official Journal that the pinned signers are by", async () => {
    const answer = await takeFile("EU-LOTL.xml");
    expect(answer.ok && answer.list.journal).toBe(PINNED_JOURNAL);
  });

  test("no key is listed twice with one use and status, and the list of lists names its signer", async () => {
    for (const { file } of taken) expect(await takeFile(file)).toMatchObject({ ok: true, list: { remarks: [] } });
  });

  test.each(broken)("$file is refused: $why", async ({ file }) => {
    expect(await takeFile(file)).toMatchObject({ ok: false });
  });

  test.each(taken)("of the qualifications of $file none is lost, and each is understood", async ({ file }) => {
    const text = readShared(`${LISTS}/${file}`);
    const { services } = await takeFile(file);
    const qualifications = (services?.caQc ?? expect.unreachable()).flatMap(({ periods }) =>
      periods.flatMap((period) => period.qualifications ?? []),
    );
    expect(qualifications).toHaveLength(text.match(/<\/\w+:QualificationElement>/g)?.length ?? 0);
    const names = qualifications.flatMap(({ qualifiers }) => qualifiers);
    expect(names).toHaveLength(text.match(/<\w+:Qualifier\b/g)?.length ?? 0);
    expect(names.filter((name) => !/^(NotQualified|QC\w+)$/.test(name))).toEqual([]);
    expect(JSON.stringify(qualifications)).not.toContain('"unknown"');
  });

  // so that no refusal above rests on the signer alone
  test.each(broken)("$file is refused even if its signer were permitted", async ({ file }) => {
    const text = readShared(`${LISTS}/${file}`);
    const inside = [...text.matchAll(/X509Certificate>([^<]+)</g)].flatMap(([, base64]) => {
      const der = fromBase64(base64?.replaceAll(/\s/g, "") ?? "");
      return der ? [der] : [];
    });
    const answer = await answerRefusals(async () => ({
      ok: true,
      list: await verifyList(bytesOf(text), () => inside),
    }));
    expect(answer.ok).toBe(false);
  });

  test("countries come as others spell them", async () => {
    const answer = await takeFile("EL.xml");
    expect(answer).toMatchObject({ ok: true, list: { territory: "GR" } });
    expect((answer as AcceptedList).list.anchors[0]).toMatchObject({ source: "eIDAS", jurisdiction: "GR" });
  });

  // eidas/qualified-service.ts: who is cut off by the rules on a key that several countries, or one under two providers, list
  test("each key is on the list of its own country only, and under one provider", async () => {
    const keys = new Map<string, Set<string>>();
    let countries = "";
    for (const { file } of taken) {
      const answer = await takeFile(file);
      for (const { certificate, jurisdiction, qtspName } of answer.ok ? answer.list.anchors : []) {
        const { subject, publicKey } = parseCertificate(fromBase64(certificate) ?? new Uint8Array());
        const country = findAttribute(subject, AttributeType.countryName);
        if (country === null || canonicalCountry(country) !== jurisdiction) countries += `${jurisdiction} ${country} `;
        const key = nameKey(subject) + toHex(publicKey.spki);
        keys.set(key, (keys.get(key) ?? new Set()).add(`${jurisdiction} ${qtspName}`));
      }
    }
    // SWIFT's, withdrawn
    expect([keys.size, countries]).toEqual([289, "BE null BE null "]);
    expect([...keys.values()].filter(({ size }) => size > 1)).toEqual([]);
  });

  test("lists past their nextUpdate are taken and flagged", async () => {
    const stale = await Promise.all(
      taken.map(async ({ file }) => {
        const answer = await takeFile(file);
        return answer.ok && answer.stale ? [file] : [];
      }),
    );
    expect(stale.flat()).toEqual(["AT.xml", "EL.xml", "FI.xml", "IE.xml"]);
  });

  test("one changed character anywhere in what is signed is refused", async () => {
    const text = readShared(`${LISTS}/SE.xml`);
    const changed = text.replace("Svcstatus/withdrawn", "Svcstatus/granted");
    expect(changed).not.toBe(text);
    expect(await take(changed, pointers)).toMatchObject({ reason: "digest" });
  });

  test("every certificate that the list of lists names can be read, and its machine-readable lists are all there", () => {
    for (const { signers } of pointers)
      for (const signer of signers) parseCertificate(fromBase64(signer) ?? bytesOf(""));
    const territories = new Set(pointers.map((pointer) => pointer.territoryOnList));
    expect(territories.size).toBe(32);
    expect(pointers.every((pointer) => pointer.signers.length > 0 && pointer.location.startsWith("http"))).toBe(true);
  });

  test("the pinned signers are those of the Official Journal, and the list of lists names the same", () => {
    const fingerprints = (ders: readonly Uint8Array[]) => ders.map((der) => toHex(der)).toSorted();
    const journal = [1, 2, 3, 4, 5, 6].map((n) => readShared(`${LISTS}/pinned/oj-c2026-1944-${n}.pem`));
    const ders = journal.map((pem) => fromBase64(pem.replaceAll(/-----[^-]+-----|\s/g, "")) ?? bytesOf(""));
    expect(fingerprints(PINNED_SIGNERS)).toEqual(fingerprints(ders));
    const own = pointers.filter((pointer) => pointer.territoryOnList === "EU").flatMap((pointer) => pointer.signers);
    expect(fingerprints(own.map((one) => fromBase64(one) ?? bytesOf("")))).toEqual(fingerprints(ders));
  });
});
