/** The basis names all that a check rests on: equal for equal inputs, another one when any of them differs. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { makeCertificate } from "../../../fixtures/makers/made-pki.ts";
import { caExtensions } from "../../../fixtures/makers/path-extensions.ts";
import { listBasisDocuments } from "../../../src/evidence/ledger/record-documents.ts";
import { toBase64 } from "../../../src/platform/encoding.ts";
import { type Basis, basisOf, gatherGrounds, type KeptDocument, listBasis } from "../../../src/psp-check/basis.ts";
import type { RegisterReading } from "../../../src/registers/lookup.ts";
import type { RevocationEvidence, RevocationStatus } from "../../../src/revocation/revocation-status.ts";
import type { KnownAnchor } from "../../../src/trust/anchors.ts";

const issuer = makeCertificate({ subject: "CA", extensions: caExtensions() });
const leaf = makeCertificate({ subject: "PSP", issuer }).certificate;
const other = makeCertificate({ subject: "PSP 2", issuer }).certificate;
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

const anchor = (more: Partial<KnownAnchor["listed"]> = {}): KnownAnchor => ({
  certificate: issuer.certificate,
  listed: {
    ...{ certificate: toBase64(issuer.certificate.der), source: "eIDAS", jurisdiction: "XX", periods: [] },
    ...{ qtspName: "QTSP", serviceName: "CA/QC", listNextUpdate: null },
    ...{ listSequenceNumber: 1, listIssuedAt: "2026-06-01T00:00:00Z" },
    ...more,
  },
});
const CRL = Uint8Array.of(1, 2, 3);
const good: RevocationEvidence = {
  ...{ source: "CRL", url: "http://crl.test/", der: CRL, answer: { status: "good", thisUpdate: 1, nextUpdate: 2 } },
  proof: { url: "http://crl.test/", producedAt: 1, crlNumber: "1", sha256: sha256(CRL) },
};
const silent: RevocationEvidence = {
  ...{ source: "OCSP", url: "http://ocsp.test/", answer: { status: "unavailable", message: "did not answer in time" } },
};
const status = (...said: RevocationEvidence[]) => ({ said }) as unknown as RevocationStatus;
const reading = (country: string, ambiguous = false): RegisterReading => ({
  ...{ country, manifests: [], categories: [], ambiguous },
});
const MAX_AGES = { nca: 1, eba: 2, "credit-institutions": null };

interface Input {
  readonly chain?: Parameters<typeof gatherGrounds>[0]["chain"];
  readonly anchors?: readonly KnownAnchor[];
  readonly said?: readonly RevocationEvidence[];
  readonly home?: RegisterReading | null;
  readonly hosts?: readonly (RegisterReading | null)[];
  readonly maxAges?: typeof MAX_AGES;
}

function make(of: Input = {}) {
  const { said = [silent, good], home = reading("XX"), hosts = [reading("XY")], maxAges = MAX_AGES } = of;
  const { grounds, documents } = gatherGrounds({
    chain: of.chain ?? { leaf, issuers: [issuer.certificate] },
    anchors: of.anchors ?? [anchor()],
    verdict: { path: [leaf, issuer.certificate], revocation: [status(...said)] },
    ...{ home, registerMaxAges: maxAges },
  });
  const kept: KeptDocument[] = [...documents];
  const [first, ...more] = hosts.map((host) => ({ restsOn: grounds, host }));
  if (!first) throw new RangeError("no jurisdiction");
  const { basis, hosts: readings } = listBasis([first, ...more]);
  kept.push(...readings, basis);
  return { digest: basisOf([first, ...more]), again: () => basisOf([first, ...more]), kept };
}

const basisIn = ({ digest, kept }: ReturnType<typeof make>): Basis =>
  JSON.parse(new TextDecoder().decode(kept.find(({ sha256 }) => sha256 === digest)?.bytes()));

test("every document has the digest by which it is kept, and the basis names each of them", () => {
  const made = make();
  for (const { sha256: named, bytes } of made.kept) expect(sha256(bytes())).toBe(named);
  const basis = basisIn(made);
  expect(basis.chain).toEqual([leaf.fingerprint, issuer.certificate.fingerprint]);
  expect(basis.revocation).toEqual([
    {
      certificate: leaf.fingerprint,
      answers: [
        {
          source: "OCSP",
          url: "http://ocsp.test/",
          status: "unavailable",
          reason: null,
          message: "did not answer in time",
        },
        { source: "CRL", url: "http://crl.test/", sha256: sha256(CRL), issuer: issuer.certificate.fingerprint },
      ],
    },
  ]);
  const named = new Set(JSON.stringify(basis).match(/[0-9a-f]{64}/g));
  expect([...named].toSorted()).toEqual(
    made.kept.flatMap(({ sha256 }) => (sha256 === made.digest ? [] : sha256)).toSorted(),
  );
});

test("of an OCSP answer the basis names what CRLs said on its responder, which is kept", () => {
  const ocsp = Uint8Array.of(7);
  const responder = { said: [good, { ...silent, source: "CRL" }] } as unknown as RevocationStatus;
  const answer = { status: "good", thisUpdate: 1, nextUpdate: 2, producedAt: 1 } as const;
  const made = make({ said: [{ source: "OCSP", url: null, der: ocsp, answer, responder }] });
  const [asked] = basisIn(made).revocation;
  expect(asked?.answers).toEqual([
    {
      ...{ source: "OCSP", url: null, sha256: sha256(ocsp), issuer: null },
      responder: [
        { source: "CRL", url: "http://crl.test/", sha256: sha256(CRL), issuer: issuer.certificate.fingerprint },
        expect.objectContaining({ source: "CRL", status: "unavailable" }),
      ],
    },
  ]);
  expect(made.kept.map(({ sha256 }) => sha256)).toEqual(expect.arrayContaining([sha256(ocsp), sha256(CRL)]));
  const named = listBasisDocuments(basisIn(made)).map(({ kind, sha256 }) => `${kind} ${sha256}`);
  expect(named).toEqual(expect.arrayContaining([`OCSP answer ${sha256(ocsp)}`, `CRL ${sha256(CRL)}`]));
});

test("of a CRL that another key of the issuer signed, the basis names that key's certificate, which is kept", () => {
  const signer = makeCertificate({ subject: "CA", extensions: caExtensions() }).certificate;
  const answer = { status: "good", thisUpdate: 1, nextUpdate: 2, signer } as const;
  const made = make({ said: [{ ...good, answer }] });
  expect(basisIn(made).revocation[0]?.answers).toMatchObject([{ source: "CRL", issuer: signer.fingerprint }]);
  expect(made.kept.map(({ sha256 }) => sha256)).toContain(signer.fingerprint);
});

test("equal inputs have the same basis, wherever they were read", () => {
  expect(make().digest).toBe(make().digest);
  const list = [anchor()];
  // from the same list, whose digest is known
  expect(make({ anchors: list }).digest).toBe(make({ anchors: [...list] }).digest);
});

test.each<[string, Input]>([
  ["another certificate", { chain: { leaf: other, issuers: [issuer.certificate] } }],
  ["issuers that were not sent", { chain: { leaf, issuers: [] } }],
  ["another list", { anchors: [anchor({ listSequenceNumber: 8 })] }],
  ["one more service", { anchors: [anchor(), anchor({ serviceName: "CA/QC 2" })] }],
  ["another CRL", { said: [silent, { ...good, der: Uint8Array.of(1, 2, 4) }] }],
  ["the same CRL from elsewhere", { said: [silent, { ...good, proof: null, url: "http://mirror.test/" }] }],
  ["another order", { said: [good, silent] }],
  ["a source that was not asked", { said: [good] }],
  ["another failure", { said: [{ ...silent, answer: { status: "unavailable", message: "is down" } }, good] }],
  [
    "an answer that cannot be used",
    { said: [{ ...silent, answer: { status: "unusable", reason: "stale", message: "is old" } }, good] },
  ],
  ["another home register", { home: reading("XX", true) }],
  ["no home register", { home: null }],
  ["another host register", { hosts: [reading("XY", true)] }],
  ["no host register", { hosts: [null] }],
  ["another setting", { maxAges: { ...MAX_AGES, nca: 3 } }],
])("%s is another basis", (_, input) => {
  expect(make(input).digest).not.toBe(make().digest);
});

test("of several jurisdictions it has all hosts, in whichever order they were asked for", () => {
  const hosts = [reading("SE"), null, reading("FI")];
  const made = make({ hosts });
  expect(Object.keys(basisIn(made).hosts)).toEqual(["FI", "SE"]);
  expect(make({ hosts: hosts.toReversed() }).digest).toBe(made.digest);
});

test("the leaf is marked, and it alone", () => {
  expect(make().kept.flatMap(({ sha256, leaf }) => (leaf ? [sha256] : []))).toEqual([leaf.fingerprint]);
});

test("of a check that many requests recall it is the same, and can be given each time", () => {
  const made = make({ hosts: [reading("XY")] });
  expect(made.again()).toBe(made.digest);
  expect(sha256(made.kept.at(-1)?.bytes() ?? Uint8Array.of())).toBe(made.digest);
});
