/**
 * GET /v1/audit/records, /v1/audit/records/{evidence_id} and /v1/audit/records/{evidence_id}/documents/{sha256}: what
 * this institution was answered, each record as it stands in its ledger, with what it is based on. Not in the interface.
 * Loaded by the first request for one of them.
 */

import type { Context } from "hono";
import * as z from "zod";
import { normaliseAuthorisationNumber } from "../eidas/authorisation-number.ts";
import { askLedger, findHeads, findRecordText } from "../evidence/ledger/ask-ledger.ts";
import { CHAIN_START, hashRecord } from "../evidence/ledger/chain.ts";
import { describeGap, nameGap } from "../evidence/ledger/damage.ts";
import type { Head } from "../evidence/ledger/head.ts";
import { verifyHead } from "../evidence/ledger/head.ts";
import { openEvidence } from "../evidence/ledger/kept-evidence.ts";
import type { LedgerRecord } from "../evidence/ledger/record.ts";
import { ALTERED, listEvidence, readDocument } from "../evidence/ledger/record-documents.ts";
import { parseRecordCursor, writeRecordCursor } from "../evidence/ledger/record-query.ts";
import type { RecordPage } from "../evidence/ledger/record-search.ts";
import { readSigningKeys } from "../evidence/signatures/signing-keys.ts";
import { findDateTimeFault } from "../grants/date-time-faults.ts";
import { DATE_TIME_PATTERN, parseDateTime } from "../grants/date-times.ts";
import { isRecordId } from "../grants/record-order.ts";
import type { AppEnv } from "../http/context.ts";
import { CONSOLE_FORMS, EVERY_ENDPOINT } from "../http/endpoints.ts";
import { ApiError } from "../http/errors/errors.ts";
import { nameEndpoint } from "../http/middleware/ledger.ts";
import { validate } from "../http/middleware/validate.ts";
import { steps } from "../http/steps.ts";
import { once } from "../platform/memory.ts";
import { STORE_TIMEOUT_MS } from "../platform/stores.ts";
import type * as answers from "./audit.answer.ts";
import type { HeadComparisonAnswer, LedgerHead } from "./audit.answer.ts";
import { isNot, pageLimit } from "./parameters.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const MAX_PSP_ID_CHARACTERS = 256;

const TWICE = "is given twice";
/** The endpoints whose answers are recorded are some of these; a list of others is empty. */
const NAMES = [...EVERY_ENDPOINT, ...Object.values(CONSOLE_FORMS)].map(nameEndpoint);

const instant = () =>
  z
    .string(TWICE)
    .transform((text, ctx) => {
      const parsed = parseDateTime(text);
      if (parsed) return parsed.milliseconds;
      const message = findDateTimeFault(text) ?? isNot(text, "an instant such as 2026-11-22T10:00:00Z");
      ctx.addIssue({ code: "custom", message });
      return z.NEVER;
    })
    .meta({ pattern: DATE_TIME_PATTERN })
    .optional();

export const listQuery = once(() =>
  z.object({
    from: instant(),
    to: instant(),
    psp_id: z
      .string(TWICE)
      .min(1, "is empty")
      .max(MAX_PSP_ID_CHARACTERS, `is longer than ${MAX_PSP_ID_CHARACTERS} characters`)
      .optional(),
    endpoint: z
      .enum(NAMES, {
        error: ({ input }) =>
          Array.isArray(input) ? TWICE : isNot(input, "the method and path of an endpoint, such as GET /v1/psp/eidas"),
      })
      .optional(),
    cursor: z.string(TWICE).optional(),
    limit: pageLimit(MAX_LIMIT, DEFAULT_LIMIT).optional(),
  }),
);

export const listRecords = steps(validate("query", listQuery), async (c) => {
  const { from = null, to = null, psp_id, endpoint = null, cursor, limit = DEFAULT_LIMIT } = c.req.valid("query");
  const psp = psp_id === undefined ? null : normaliseAuthorisationNumber(psp_id);
  const asked = { from, to, psp, endpoint, event: null, outcome: null };
  const listing = { fiId: c.get("fi").id, ...asked };
  const before = cursor === undefined ? null : parseRecordCursor(listing, cursor);
  if (cursor !== undefined && before === null) {
    const title = "cursor is not from an earlier answer for these parameters";
    throw new ApiError({ code: "cursor_invalid", title });
  }
  const page: RecordPage = await askLedger(c.env, c.get("fi").id, (ledger) => ledger.list({ ...asked, before, limit }));
  const data = page.texts.map(describeRecord);
  const answer: answers.RecordList = {
    data,
    heads: await listHeads(c, data.at(-1)?.record.seq, data[0]?.record.seq),
    gaps: page.gaps.map(nameGap),
    ...(page.next !== null && { next_cursor: writeRecordCursor(listing, page.next) }),
  };
  return c.json(answer);
});

const describeRecord = (text: string): answers.RecordList["data"][number] => ({
  record: JSON.parse(text) as LedgerRecord,
  text,
  hash: hashRecord(text),
});

/** Those of {@link findHeads} of a page; none of an empty one. */
const listHeads = async (c: Context<AppEnv>, oldest = 0, newest = 0): Promise<string[]> =>
  newest === 0 ? [] : (await findHeads(c.env, c.get("fi").id, oldest, newest)).map(({ jws }) => jws);

export async function getRecord(c: Context<AppEnv>): Promise<Response> {
  const text = await findText(c);
  const described = describeRecord(text);
  const record = described.record as LedgerRecord;
  const answer: answers.AuditRecord = {
    data: {
      ...described,
      evidence: await listEvidence(openEvidence(c.env, record), record),
      heads: await listHeads(c, record.seq, record.seq),
    },
  };
  return c.json(answer);
}

async function findText(c: Context<AppEnv>): Promise<string> {
  const id = c.req.param("evidence_id") ?? "";
  const found = isRecordId(id) ? await findRecordText(c.env, c.get("fi").id, id) : null;
  if (found === null) throw new ApiError({ code: "record_not_found" });
  if (typeof found === "string") return found;
  const title = `The record may be among those that cannot be read: ${describeGap(nameGap(found))}`;
  throw new ApiError({ code: "records_damaged", title });
}

export async function getDocument(c: Context<AppEnv>): Promise<Response> {
  const record = JSON.parse(await findText(c)) as LedgerRecord;
  const sha256 = c.req.param("sha256") ?? "";
  const read = openEvidence(c.env, record);
  const evidence = await listEvidence(read, record);
  const named = evidence.find((document) => document.sha256 === sha256);
  if (!named)
    throw new ApiError({ code: "document_not_found", title: "The record is based on no document of this SHA-256" });
  const kept = await readDocument(read, named.kind, sha256);
  if (!kept.ok) {
    const title = kept.missing.reason === "altered" ? ALTERED : "The document is not kept (any more)";
    throw new ApiError({ code: "document_not_found", title });
  }
  return c.body(kept.bytes as Uint8Array<ArrayBuffer>, 200, { "Content-Type": "application/octet-stream" });
}

/** Signs now if records are in no head yet: whoever keeps the answer can prove all that is in the ledger at this moment. */
export async function answerLedgerHead(c: Context<AppEnv>): Promise<Response> {
  const { head, keptFrom } = await askLedger(c.env, c.get("fi").id, (ledger) => ledger.state(), STORE_TIMEOUT_MS);
  const answer: LedgerHead = { data: { ...describeHead(head), kept_from: keptFrom } };
  return c.json(answer);
}

/** Null: there is no record. */
export function describeHead(head: Head | null) {
  const { seq, hash, time, jws } = head ?? { ...CHAIN_START, time: null, jws: null };
  return { seq, hash, time: time === null ? null : new Date(time).toISOString(), jws };
}

const MAX_HEAD_CHARACTERS = 2_048;

export const comparisonQuery = once(() =>
  z.object({
    head: z.string("is given twice").max(MAX_HEAD_CHARACTERS, `is longer than ${MAX_HEAD_CHARACTERS} characters`),
  }),
);

/** The caller's number and hash count only where the service itself has signed them for this institution. */
export const compareKeptHead = steps(validate("query", comparisonQuery), async (c) => {
  const { head: jws } = c.req.valid("query");
  const refuse = (reason: string) => new ApiError({ code: "head_invalid", title: `head ${reason}` });
  const checked = verifyHead(jws, readSigningKeys(c.env).published);
  if (!checked.ok) throw refuse(checked.reason);
  const kept = checked.head;
  const { id, fiReferenceId } = c.get("fi");
  const compared = await askLedger(c.env, id, (ledger) => ledger.compare(kept, fiReferenceId));
  if (!compared) throw refuse("is of the ledger of another institution");
  const { verdict, found, followedTo, differsAt, gap } = compared;
  const { seq, hash, time } = kept;
  const data = {
    ...{ verdict, kept: { seq, hash, time }, found, followed_to: followedTo, differs_at: differsAt, gap },
    head: describeHead(compared.head),
  };
  const answer: HeadComparisonAnswer = { data };
  return c.json(answer);
});
