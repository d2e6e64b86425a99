/** What this institution was answered, from its ledger: `/v1/audit/...`. */
import { type CallOptions, type Connection, callOperation, Listing, type Page, readData, readPage } from "./call.ts";
import type { AuditGap, AuditListing, AuditRecord, HeadComparison, LedgerHead, ParametersOf } from "./records.ts";
import type { Operation } from "./request.ts";

const HEAD: Operation = { method: "GET", path: "/v1/audit/head", repeat: "always", has: "data" };
const COMPARISON: Operation = {
  method: "GET",
  path: "/v1/audit/head/comparison",
  query: ["head"],
  repeat: "always",
  has: "data",
};
const RECORDS = "/v1/audit/records";
const RECORD = "/v1/audit/records/{evidence_id}";

const LIST_RECORDS: Operation = {
  method: "GET",
  path: RECORDS,
  query: ["from", "to", "psp_id", "endpoint", "cursor", "limit"],
  repeat: "always",
  has: "data",
};
const GET_RECORD: Operation = { method: "GET", path: RECORD, repeat: "always", has: "data" };
const GET_DOCUMENT: Operation = {
  method: "GET",
  path: `${RECORD}/documents/{sha256}`,
  repeat: "always",
  bytes: true,
  has: "bytes",
};

interface AuditPage extends Page<AuditListing> {
  /** Records that may belong to the page, are damaged in the service's store, and cannot be given out. */
  readonly gaps: readonly AuditGap[];
}

/** The records that can be given out, and which cannot. */
export class AuditRecordListing extends Listing<AuditListing, AuditPage> {
  /** Of the pages that were read so far: look at them after `for await`. */
  readonly gaps: AuditGap[] = [];

  constructor(fetchPage: (cursor: string | undefined) => Promise<AuditPage>, first: string | undefined) {
    super(async (cursor) => {
      const page = await fetchPage(cursor);
      this.gaps.push(...page.gaps);
      return page;
    }, first);
  }
}

export class Audit {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** `GET /v1/audit/head`: the signed end of the ledger. Who keeps it can show that a record below it was altered or removed. */
  getHead(options?: CallOptions): Promise<LedgerHead> {
    return readData(this.#connection, HEAD, {}, options);
  }

  /** `GET /v1/audit/head/comparison`: whether the ledger of today contains a head that was kept; `head` is its `jws`. */
  compareHead(parameters: ParametersOf<"compareLedgerHead">, options?: CallOptions): Promise<HeadComparison> {
    return readData(this.#connection, COMPARISON, parameters, options);
  }

  /** `GET /v1/audit/records`: newest first, up to 200 a page: `await` gives a page, `for await` all that can be given out; see `gaps`. */
  listRecords(parameters: ParametersOf<"listAuditRecords"> = {}, options?: CallOptions): AuditRecordListing {
    const fetchPage = async (cursor: string | undefined) => {
      const answer = callOperation(this.#connection, LIST_RECORDS, { ...parameters, cursor }, options);
      const gaps = ((await answer).body["gaps"] ?? []) as readonly AuditGap[];
      return { ...(await readPage<AuditListing>(answer)), gaps };
    };
    return new AuditRecordListing(fetchPage, parameters.cursor);
  }

  /** `GET /v1/audit/records/{evidence_id}`: by the `x-evidence-id` of an answer, with everything that it is based on. */
  getRecord(parameters: ParametersOf<"getAuditRecord">, options?: CallOptions): Promise<AuditRecord> {
    return readData(this.#connection, GET_RECORD, parameters, options);
  }

  /** `GET /v1/audit/records/{evidence_id}/documents/{sha256}`: the bytes of one of these. */
  async getDocument(parameters: ParametersOf<"getAuditDocument">, options?: CallOptions): Promise<Uint8Array> {
    const { body } = await callOperation(this.#connection, GET_DOCUMENT, parameters, options);
    return body["bytes"] as Uint8Array;
  }
}
