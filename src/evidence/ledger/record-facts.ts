/** What closing a segment and counting traffic need of a record: of most read from its text, in a fifth of the time of JSON. */
import { readRequestTime } from "../../platform/clock.ts";
import type { CheckedCertificate, LedgerRecord } from "./record.ts";
import { pspsOf } from "./record-query.ts";

export interface RecordFacts extends Pick<LedgerRecord, "seq" | "id" | "endpoint" | "outcome" | "ms"> {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Authorisation numbers that occur in it. */
  readonly psps: readonly string[];
  /** The number by which its refusal is counted; null if it was none, or of nobody. */
  readonly refused: string | null;
}

/** The members as entry-text.ts writes them, of what was not refused. */
const GRANTED =
  /^\{"seq":(\d+),"prev":"\w+","id":"([^"]*)","time":"([^"]*)","release":"[^"]*","fi":"[^"]*","request_id":"[^"]*","event":"[^"]*","endpoint":"([^"]*)","version":"[^"]*","status":\d+,"outcome":"ok","ms":(\d+),/;
const PSP = '"psp":"';

export function readFacts(text: string): RecordFacts {
  // without an escape a quotation mark is where a text begins or ends
  const found = text.includes("\\") ? null : GRANTED.exec(text);
  if (!found) return factsOf(JSON.parse(text) as LedgerRecord);
  const [, seq = "", id = "", time = "", endpoint = "", ms = ""] = found;
  const psps = listPsps(text, found[0].length);
  return {
    seq: Number(seq),
    id,
    time: readRequestTime(time),
    endpoint,
    outcome: "ok",
    ms: Number(ms),
    psps,
    refused: null,
  };
}

/** Of a text without escapes, from there on. */
function listPsps(text: string, from: number): string[] {
  const psps: string[] = [];
  for (let at = text.indexOf(PSP, from); at >= 0; at = text.indexOf(PSP, at)) {
    at += PSP.length;
    const psp = text.slice(at, text.indexOf('"', at));
    if (psp !== psps.at(-1)) psps.push(psp);
  }
  return psps;
}

function factsOf(record: LedgerRecord): RecordFacts {
  const { seq, id, time, endpoint, outcome, ms } = record;
  const refused = outcome === "ok" ? null : countedPsp(record);
  return { seq, id, time: readRequestTime(time), endpoint, outcome, ms, psps: pspsOf(record), refused };
}

/**
 * In the place of the number that a certificate says which no listed service has issued: all of these are counted
 * together, else whoever makes numbers up would have a row for each. The records have the numbers.
 */
export const UNVERIFIED = "";

/** The number by which a refusal is counted. Without a certificate it is that of a token, which a verified PSP got. */
export function countedPsp({ psp, checks }: LedgerRecord): string | null {
  const own = checks.filter((check) => check.psp === psp);
  const isIssued = ({ verdicts }: CheckedCertificate) =>
    // an expired one counts as broken, one of a withdrawn service has a path: its number is true in both cases
    !(verdicts.includes("validQTSP") && verdicts.includes("validSignature"));
  return own.length === 0 || own.some(isIssued) ? psp : UNVERIFIED;
}
