/**
 * What a check on the page finds, as plain data that is kept: a link to it can be shared inside an institution for seven
 * days. The link has a random id. The results are encrypted with a key that follows from it, and only its hash is
 * stored: neither the database nor the log shows what was checked, and the link alone shows nothing without a sign-in.
 */

import { transform } from "../../evidence/ledger/document-bundle.ts";
import type { BankPassports } from "../../institutions/financial-institutions.ts";
import { fromBase64, toBase64 } from "../../platform/encoding.ts";
import type { Instant } from "../../platform/instant.ts";
import { hashSecret, makeMac, makeSecret, seal, unseal } from "../../platform/secrets.ts";
import { callStore } from "../../platform/stores.ts";
import { describeCheck } from "../../psp-check/answer.ts";
import type { Chain } from "../../psp-check/check-budget.ts";
import type { Decision } from "../../psp-check/decision.ts";
import type { PspCheck } from "../../psp-check/psp-check.ts";
import { describePsp, type PspReport } from "../../psp-check/psp-report.ts";
import type { RegisterMaxAges } from "../../registers/manifest.ts";
import { PageProblem } from "../page.ts";

export interface Question {
  /** ISO code in upper case. */
  readonly jurisdiction: string;
  /** The instant at which is checked. */
  readonly at: Instant;
  /** When it was asked. */
  readonly now: Instant;
  /** What the institution had chosen for which is checked; absent of results of earlier releases. */
  readonly bankPassports?: BankPassports | null;
}

export interface CheckResult {
  readonly ok: true;
  /** The file's name, or that it was pasted; of several with the same certificate also the others. */
  readonly from: string;
  /** Each file with this certificate. Absent of results of earlier releases. */
  readonly files?: readonly string[];
  /** The certificate's organizationName; null if it has none. */
  readonly name: string | null;
  readonly authNumber: string | null;
  /** The answer of GET /v1/psp/eidas in version `latest`. */
  readonly answer: ReturnType<typeof describeCheck>;
  readonly report: PspReport;
  readonly certificate: {
    /** SHA-256 of the DER, hex. */
    readonly sha256: string;
    readonly notBefore: Instant;
    readonly notAfter: Instant;
    /** The header `eidas`: base64 of the DER, with the issuers after it. */
    readonly header: string;
  };
  /** Status periods of the listed service, oldest first; ISO 8601. */
  readonly periods: readonly { readonly status: string; readonly from: string }[];
  /** Of the record that it left; absent if the service keeps none. */
  readonly evidenceId?: string;
  /** See `Evidence`. Absent of results that were kept before 0.12.0. */
  readonly doubts?: PspCheck["evidence"]["doubts"];
}

/** A file that could not be checked. `message` is a sentence. */
interface Unchecked {
  readonly ok: false;
  readonly from: string;
  readonly files?: readonly string[];
  readonly message: string;
}

export type Finding = CheckResult | Unchecked;

export function describeFinding(
  { from, files }: Pick<CheckResult, "from" | "files">,
  { leaf, issuers }: Chain,
  check: PspCheck,
  decision: Decision,
  { jurisdiction, at }: Question,
  maxAges: RegisterMaxAges,
): CheckResult {
  const answer = describeCheck(check, jurisdiction, "latest", maxAges, at, decision);
  return {
    ok: true,
    from,
    ...(files && { files }),
    name: check.psp.pspSubjectName,
    authNumber: check.psp.authNumber,
    answer,
    report: describePsp(check, { ...answer, decision }, jurisdiction, at),
    certificate: {
      sha256: leaf.fingerprint,
      notBefore: check.psp.notBefore,
      notAfter: check.psp.notAfter,
      header: [leaf, ...issuers].map(({ der }) => toBase64(der)).join("="),
    },
    periods: check.evidence.anchor?.periods ?? [],
    doubts: check.evidence.doubts,
  };
}

export const KEPT_DAYS = 7;
const KEPT_MS = KEPT_DAYS * 86_400_000;
/** Of one institution: the oldest goes when there is one more. */
export const MAX_KEPT = 500;
const LABEL = "console check";
/** A row of D1 has 2 MB. Fifty usual certificates with what was found of them take 0.1 MB. */
const MAX_SEALED_CHARACTERS = 1_900_000;
/** 128 bits, as in a token's id: the sign-in stands before it. */
const ID_BYTES = 16;

/** What one form asked, and what was found. */
export interface KeptCheck extends Question {
  /** Who asked: an operator's address, a client id, or a person's tag, since their name may be erased. */
  readonly by: string;
  readonly findings: readonly Finding[];
  /** The institution for which it was checked, whose ledger has its records: its reference. Null: there was none yet. */
  readonly fi: string | null;
}

export const CONSOLE_CHECK_STATEMENTS = {
  insert: "INSERT INTO console_checks (id_hash, fi_id, sealed, created_at, ends_at) VALUES (?1, ?2, ?3, ?4, ?5)",
  trim: `
    DELETE FROM console_checks WHERE id_hash IN (
      SELECT id_hash FROM console_checks WHERE fi_id IS ?1 ORDER BY created_at DESC LIMIT 100 OFFSET ${MAX_KEPT})`,
  find: "SELECT sealed FROM console_checks WHERE id_hash = ?1 AND fi_id IS ?2 AND ends_at > ?3",
} as const;

const keyOf = (id: string): Uint8Array => makeMac(new TextEncoder().encode(id), LABEL);

/** Keeps a check for an institution, or for the operators (null), and returns its id. Throws {@link PageProblem}, StoreError. */
export async function keepConsoleCheck(db: D1Database, fiId: number | null, check: KeptCheck): Promise<string> {
  const id = makeSecret(ID_BYTES);
  const packed = await transform(JSON.stringify(check), new CompressionStream("gzip"));
  const sealed = toBase64(seal(keyOf(id), toBase64(packed), LABEL));
  if (sealed.length > MAX_SEALED_CHARACTERS) throw tooLarge();
  const { insert, trim } = CONSOLE_CHECK_STATEMENTS;
  await callStore("D1", () =>
    db.batch([
      db.prepare(insert).bind(hashSecret(id), fiId, sealed, check.now, check.now + KEPT_MS),
      db.prepare(trim).bind(fiId),
    ]),
  );
  return id;
}

/**
 * The check with this id; null if there is none, if it has expired at `now`, or if it is of another institution. Throws
 * StoreError.
 */
export async function findConsoleCheck(
  db: D1Database,
  fiId: number | null,
  id: string,
  now: Instant,
): Promise<KeptCheck | null> {
  const find = db.prepare(CONSOLE_CHECK_STATEMENTS.find).bind(hashSecret(id), fiId, now);
  const text = await callStore("D1", () => find.first<string>("sealed"));
  const sealed = text === null ? null : fromBase64(text);
  const opened = sealed && unseal(keyOf(id), sealed, LABEL);
  if (opened === null) return null;
  // authenticated, so its form is that of keepConsoleCheck
  return JSON.parse(await unpack(opened)) as KeptCheck;
}

const unpack = async (packed: string): Promise<string> =>
  new TextDecoder().decode(await transform(fromBase64(packed) ?? new Uint8Array(), new DecompressionStream("gzip")));

const tooLarge = (): PageProblem =>
  new PageProblem({
    status: 413,
    code: "form_too_large",
    heading: "Too much at once",
    text: "The certificates were checked, but the results are too large to be kept. Send fewer files, or without their issuers' certificates.",
  });
