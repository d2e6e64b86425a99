/** Everything that a record of the ledger is based on, by SHA-256, and how it is read. */
import { hashBytes } from "../../platform/node-crypto.ts";
import type { Basis, BasisAnswer } from "../../psp-check/basis.ts";
import type { LedgerRecord } from "./record.ts";

export interface RecordDocument {
  /** `answer`, `basis`, `certificate`, `OCSP answer`, `CRL`, ... */
  readonly kind: string;
  readonly sha256: string;
}

const one = (kind: string, sha256: string | null): RecordDocument[] => (sha256 === null ? [] : [{ kind, sha256 }]);

/** The kinds that name further documents. */
export const NAMING: ReadonlySet<string> = new Set(["answers", "basis"]);

/** The documents that the record itself names. */
export const listNamedDocuments = ({ answer, checks, event }: LedgerRecord): RecordDocument[] => [
  ...one(event === "psps.checked" ? "answers" : "answer", answer),
  ...checks.flatMap(({ basis }) => one("basis", basis)),
];

/** The documents that one of the kinds {@link NAMING} names; none if the bytes are not those of such a one. */
export function listContents(kind: string, bytes: Uint8Array | null): RecordDocument[] {
  const value = bytes === null ? undefined : parseDocument(bytes);
  if (kind === "answers") return listResults(value).map((sha256) => ({ kind: "answer", sha256 }));
  const basis = value as Basis | undefined;
  return kind === "basis" && basis?.form === 1 ? listBasisDocuments(basis) : [];
}

/** All that the record is based on: what it names itself, and what these documents name. Throws what `read` throws. */
export async function listEvidence(read: ReadKept, record: LedgerRecord): Promise<RecordDocument[]> {
  const named = listNamedDocuments(record);
  const naming = named.filter(({ kind }) => NAMING.has(kind));
  const contents = await Promise.all(naming.map(async ({ kind, sha256 }) => listContents(kind, await read(sha256))));
  return [...new Map([...named, ...contents.flat()].map((each) => [each.sha256, each])).values()];
}

export const listBasisDocuments = ({ chain, sought, anchors, revocation, home, hosts }: Basis): RecordDocument[] => [
  ...chain.flatMap((sha256) => one("certificate", sha256)),
  ...(sought?.found ?? []).flatMap(({ certificate }) => one("certificate", certificate)),
  ...one("listed services", anchors),
  ...revocation.flatMap(({ answers }) => answers.flatMap(listAnswerDocuments)),
  ...one("home register's entries", home),
  ...Object.values(hosts).flatMap((sha256) => one("host register's entries", sha256)),
];

function listAnswerDocuments(answer: BasisAnswer): RecordDocument[] {
  if (!("sha256" in answer)) return [];
  const { source, sha256, issuer, responder = [] } = answer;
  return [
    ...one(source === "OCSP" ? "OCSP answer" : "CRL", sha256),
    ...one("certificate", issuer),
    ...responder.flatMap(listAnswerDocuments),
  ];
}

/** The kept form of an element of POST /v1/psp/checks (routes/psp/check-answers.ts). */
export interface KeptElement {
  /** A result is the SHA-256 of its kept form; one that was refused has none. */
  readonly results?: readonly { readonly jurisdiction: string | null; readonly result?: string }[];
}

/** Those of a kept answer to POST /v1/psp/checks; none of any other value. */
export function readElements(value: unknown): readonly KeptElement[] {
  const { data } = Object(value) as { readonly data?: unknown };
  return Array.isArray(data) && data.every((each) => typeof each === "object" && each !== null) ? data : [];
}

const listResults = (value: unknown): string[] =>
  readElements(value).flatMap(({ results = [] }) => results.flatMap(({ result }) => result ?? []));

/** Gives a kept document by its SHA-256 in lower-case hex; null if it is not kept. Throws only if it could not be asked. */
export type ReadKept = (sha256: string) => Promise<Uint8Array | null>;

/** A document that a replay needs and does not have. */
export interface MissingDocument {
  /** What it would be: `basis`, `certificate`, `OCSP answer`, ... */
  readonly what: string;
  readonly sha256: string;
  readonly reason: "absent" | "altered" | "unreadable";
}

export type KeptDocument =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly missing: MissingDocument };

/** Verified against its SHA-256. */
export async function readDocument(read: ReadKept, what: string, sha256: string): Promise<KeptDocument> {
  const bytes = await read(sha256);
  if (bytes === null) return { ok: false, missing: { what, sha256, reason: "absent" } };
  if (hashBytes("sha256", bytes) !== sha256) return { ok: false, missing: { what, sha256, reason: "altered" } };
  return { ok: true, bytes };
}

/** Whoever may read the record is notified instead of being given other bytes. */
export const ALTERED = "The document was altered where it is kept";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The value of a JSON document; undefined if it is none. */
export function parseDocument(document: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof document === "string" ? document : utf8.decode(document));
  } catch {
    return undefined;
  }
}
