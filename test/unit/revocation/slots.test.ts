/** What is read from a slot's value in KV, which whoever can write there may have made up. */
import { describe, expect, test } from "vitest";
import {
  at,
  enumerated,
  makeCertificate,
  makeCrl,
  makeOcspResponse,
  sequence,
} from "../../../fixtures/makers/made-pki.ts";
import { crlSlot } from "../../../src/revocation/crl-slot.ts";
import { LONGEST_SPAN_MS } from "../../../src/revocation/kept-answers.ts";
import { ocspSlot } from "../../../src/revocation/ocsp-slot.ts";
import { validUntil } from "../../../src/revocation/verified-answer.ts";

const NOW = at("2026-06-10T00:00:00Z");
const issuer = makeCertificate({ subject: "CA" });
const { certificate } = makeCertificate({ subject: "PSP", issuer });
const [ca, crl] = [issuer.certificate.der, makeCrl({ issuer })];

describe("of the CRLs of a slot", () => {
  const slot = crlSlot("http://crl.test/", issuer.certificate.subject);

  test("a certificate and its CRL are read", async () => {
    const { answers, problem } = await slot.read(sequence(sequence(ca, crl)), [], NOW);
    expect([answers.map(({ der }) => der), problem]).toEqual([[crl], null]);
  });

  test.each([
    ["nothing", sequence()],
    ["a certificate alone", sequence(ca)],
    ["a third part", sequence(ca, crl, crl)],
  ])("%s in the place of the two is malformed", async (_, pair) => {
    expect(await slot.read(sequence(pair), [], NOW)).toEqual({
      answers: [],
      problem: { reason: "malformed", message: "it cannot be read (kept CRLs: not a certificate and a CRL)" },
    });
  });

  test("what is no certificate in the place of one is malformed, and what came before it counts", async () => {
    const { answers, problem } = await slot.read(sequence(sequence(ca, crl), sequence(sequence(), crl)), [], NOW);
    expect(answers.map(({ der }) => der)).toEqual([crl]);
    expect(problem).toMatchObject({
      reason: "malformed",
      message: expect.stringMatching(/^it cannot be read \(.+\)$/),
    });
  });
});

describe("of the OCSP answer of a slot", () => {
  const slot = ocspSlot({ certificate, issuer: issuer.certificate });
  const answer = (status: "good" | "unknown") =>
    makeOcspResponse({ responder: issuer, singles: [{ certificate, issuer: issuer.certificate, status }] });

  test("a definite one is read", async () => {
    const good = answer("good");
    const { answers, problem } = await slot.read(good, [], NOW);
    expect([answers.map(({ der }) => der), problem]).toEqual([[good], null]);
  });

  test("one that the isolate holds is not verified again", async () => {
    const good = answer("good");
    const { answers: held } = await slot.read(good, [], NOW);
    const { answers } = await slot.read(Uint8Array.from(good), held, NOW);
    expect(answers).toHaveLength(1);
    expect(answers[0]).toBe(held[0]);
  });

  test("one that was signed after now is not yet one", async () => {
    const early = NOW - 365 * 86_400_000;
    const { answers, problem } = await slot.read(answer("good"), [], early);
    expect([answers, problem?.reason]).toEqual([[], "not-yet-valid"]);
  });

  test("one that says no more than that the responder is busy is none", async () => {
    const tryLater = sequence(enumerated(3));
    expect(await slot.read(tryLater, [], NOW)).toMatchObject({ answers: [], problem: { reason: expect.any(String) } });
  });

  test("says whether it revokes, and is kept by that", async () => {
    const producedAt = at("2026-06-02T00:00:00Z");
    const read = async (status: "good" | "revoked") => {
      const singles = [{ certificate, issuer: issuer.certificate, status }];
      const { answers } = await slot.read(makeOcspResponse({ responder: issuer, singles, producedAt }), [], NOW);
      return answers[0];
    };
    const [good, revoked] = [await read("good"), await read("revoked")];
    expect(good?.revocations).toBe(0);
    expect(revoked?.revocations).toBe(1);
    expect(good?.thisUpdate).not.toBe(producedAt);
    // a revocation is kept beyond its end, for a year from its thisUpdate
    if (!good || !revoked) throw new Error("not read");
    expect(slot.keptUntil(good)).toBe(validUntil(good));
    expect(slot.keptUntil(revoked)).toBe(revoked.thisUpdate + LONGEST_SPAN_MS);
    const long = { ...revoked, nextUpdate: revoked.thisUpdate + LONGEST_SPAN_MS + 86_400_000 };
    expect(slot.keptUntil(long)).toBe(validUntil(long));
    expect(slot.encode([good])).toBe(good.der);
    expect(slot.encode([])).toEqual(new Uint8Array(0));
  });

  test("bytes that are none are malformed", async () => {
    expect(await slot.read(Uint8Array.of(1, 2, 3), [], NOW)).toMatchObject({
      answers: [],
      problem: { reason: "malformed" },
    });
  });

  test("one that does not know the certificate is kept as a revocation is, beside one that says good", async () => {
    const { answers } = await slot.read(answer("unknown"), [], NOW);
    expect(answers).toMatchObject([{ isUnknown: true, revocations: 0 }]);
    const [unknown] = answers;
    if (!unknown) throw new Error("not read");
    expect(slot.keptUntil(unknown)).toBe(unknown.thisUpdate + LONGEST_SPAN_MS);
    const [good] = (await slot.read(answer("good"), [], NOW)).answers;
    if (!good) throw new Error("not read");
    const both = await slot.read(slot.encode([good, unknown]), [unknown], NOW);
    expect(both).toEqual({ answers: [good, unknown], problem: null });
    expect(both.answers[1]).toBe(unknown);
  });

  test("one behind another that cannot be read is told, and the first counts", async () => {
    const good = answer("good");
    const { answers, problem } = await slot.read(Uint8Array.of(...good, 1, 2, 3), [], NOW);
    expect(answers.map(({ der }) => der)).toEqual([good]);
    expect(problem).toMatchObject({ reason: "malformed" });
  });
});
