/**
 * Makes a PSP check again from its basis and the documents that this names, at any instant: by the very rules that
 * made it, and without a store, the network or what an isolate remembers.
 */
import { readPsp } from "../../eidas/psd2.ts";
import type { Instant } from "../../platform/instant.ts";
import type { Basis, BasisAnswer } from "../../psp-check/basis.ts";
import { beginJudgement, judge, type PspCheck } from "../../psp-check/psp-check.ts";
import type { RegisterReading } from "../../registers/lookup.ts";
import type { RegisterMaxAges } from "../../registers/manifest.ts";
import { judgeAgain, type SaidAnswer } from "../../revocation/judge-again.ts";
import type { ListedAnchor } from "../../trust/anchors.ts";
import { readAnchor } from "../../trust/anchors.ts";
import { type Certificate, parseCertificate } from "../../x509/certificate.ts";
import {
  listBasisDocuments,
  type MissingDocument,
  parseDocument,
  type ReadKept,
  readDocument,
} from "../ledger/record-documents.ts";

export interface JudgedBasis {
  readonly ok: true;
  /** By ISO code, with the host register of each; the home country under its own code or null. */
  readonly checkFor: (jurisdiction: string | null) => PspCheck;
  readonly registerMaxAges: RegisterMaxAges;
}

interface NotJudged {
  readonly ok: false;
  readonly missing: readonly MissingDocument[];
}

/** `sha256`: of the basis. Throws only what `read` throws. */
export async function judgeBasis(sha256: string, read: ReadKept, at: Instant): Promise<JudgedBasis | NotJudged> {
  const kept = await readDocument(read, "basis", sha256);
  if (!kept.ok) return { ok: false, missing: [kept.missing] };
  const basis = parseDocument(kept.bytes) as Basis | undefined;
  if (basis?.form !== 1) return { ok: false, missing: [{ what: "basis", sha256, reason: "unreadable" }] };
  const documents = await readAll(basis, read);
  if (!documents.ok) return documents;
  try {
    return await judgeDocuments(basis, documents.bytes, at);
  } catch (error) {
    // the rules take what was read before: a document that is not what the basis says it is stops them anywhere
    if (!(error instanceof Error)) throw error;
    return { ok: false, missing: [{ what: `basis (${error.message})`, sha256, reason: "unreadable" }] };
  }
}

type Documents = ReadonlyMap<string, Uint8Array>;

/** All that the basis names, or all that is missing of it. */
async function readAll(
  basis: Basis,
  read: ReadKept,
): Promise<{ readonly ok: true; readonly bytes: Documents } | NotJudged> {
  const named = new Map(listBasisDocuments(basis).map(({ kind, sha256 }) => [sha256, kind]));
  const all = await Promise.all(
    [...named].map(async ([sha256, kind]) => ({ sha256, kept: await readDocument(read, kind, sha256) })),
  );
  const missing = all.flatMap(({ kept }) => (kept.ok ? [] : [kept.missing]));
  if (missing.length > 0) return { ok: false, missing };
  return {
    ok: true,
    bytes: new Map(all.flatMap(({ sha256, kept }) => (kept.ok ? [[sha256, kept.bytes] as const] : []))),
  };
}

async function judgeDocuments(basis: Basis, documents: Documents, at: Instant): Promise<JudgedBasis> {
  const bytesOf = (sha256: string): Uint8Array => {
    const bytes = documents.get(sha256);
    if (!bytes) throw new RangeError(`${sha256} is no document of this basis`);
    return bytes;
  };
  const readRegister = (sha256: string) => parseDocument(bytesOf(sha256)) as RegisterReading;
  const [leaf, ...issuers] = basis.chain.map((sha256) => parseCertificate(bytesOf(sha256)));
  if (!leaf) throw new RangeError("it has no certificate");
  const anchors = (parseDocument(bytesOf(basis.anchors)) as ListedAnchor[]).map(readAnchor);
  const home = basis.home === null ? null : readRegister(basis.home);
  const hosts = new Map(Object.entries(basis.hosts).map(([country, sha256]) => [country, readRegister(sha256)]));
  const readings = { psp: readPsp(leaf), anchors, home, host: null };
  const first = issuers.find(({ fingerprint }) => fingerprint === basis.first);
  const foundIssuers = basis.sought?.found.map(({ certificate, url }) => ({
    ...{ certificate: parseCertificate(bytesOf(certificate)), url },
  }));
  const sought = foundIssuers && { issuers: foundIssuers, missing: basis.sought?.missing ?? null };
  const chain = {
    ...{ leaf, issuers },
    ...(first && { first }),
    ...(basis.joined && { joined: true as const }),
    ...(sought && { sought }),
  };
  const began = await beginJudgement(chain, readings, at);
  const { path, signers } = began.foundPath;
  const statuses = await judgeAgain(path, listAnswers(basis, path, bytesOf), at, signers);
  const { check } = judge(began, statuses, basis.registerMaxAges);
  return {
    ok: true,
    checkFor: (jurisdiction) => ({ ...check, host: (jurisdiction !== null && hosts.get(jurisdiction)) || null }),
    registerMaxAges: basis.registerMaxAges,
  };
}

/** What was said on each certificate of the path but the anchor. */
const listAnswers = (
  { revocation }: Basis,
  path: readonly Certificate[],
  bytesOf: (sha256: string) => Uint8Array,
): SaidAnswer[][] =>
  path.slice(0, -1).map(({ fingerprint }) => {
    const asked = revocation.find(({ certificate }) => certificate === fingerprint);
    return asked?.answers.map((answer) => readAnswer(answer, bytesOf)) ?? [NOT_ASKED];
  });

/** By other rules the path may be another one. */
const NOT_ASKED: SaidAnswer = {
  source: "OCSP",
  url: null,
  answer: { status: "unavailable", message: "was not asked: the certificate was not on the path" },
};

function readAnswer(answer: BasisAnswer, bytesOf: (sha256: string) => Uint8Array): SaidAnswer {
  const { source, url } = answer;
  if ("sha256" in answer) {
    const responder = answer.responder?.map((each) => readAnswer(each, bytesOf));
    return { source, url, der: bytesOf(answer.sha256), responder };
  }
  const { status, message, reason } = answer;
  return {
    ...{ source, url },
    answer: status === "unavailable" ? { status, message } : { status, reason: reason ?? "", message },
  };
}
