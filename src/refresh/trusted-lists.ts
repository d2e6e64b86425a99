/** Refreshes the published trusted lists: the list of lists, and each national list that it names. */
import type * as z from "zod";
import { canonicalCountry } from "../platform/country.ts";
import { fetchLimited } from "../platform/fetch-limited.ts";
import type { Instant } from "../platform/instant.ts";
import { createHash } from "../platform/node-crypto.ts";
import {
  findLater,
  isOlder,
  LIST_OF_LISTS,
  TRUSTED_LIST_SOURCE,
  type TrustListManifest,
  trustListKey,
} from "../trust/anchors.ts";
import { claimedPivots } from "../trust/lists/accept.ts";
import { answerRefusals } from "../trust/lists/elements.ts";
import { LIST_MIME_TYPE } from "../trust/lists/scheme.ts";
import { importTrustList, isCertain } from "../trust/trust-import.ts";
import {
  DROPPED,
  findNewestListOfLists,
  findWait,
  NOTHING_KNOWN,
  noteDrop,
  noteImport,
  noteNewest,
  READING,
  readNewest,
  readStepState,
  type STEP_STATE,
} from "./list-state.ts";
import { acceptPublishedList, nameSkipped, type PublishedList, readListOfLists } from "./published-list.ts";
import { addRefreshes, keepStepState } from "./refreshes.ts";
import { type Step, type StepInput, type StepResult, trustTask } from "./schedule.ts";

/**
 * What KV has lost, as with a new namespace, or may hold as it was before, has to be fetched again although its file is the
 * one that was loaded.
 */
const isLoaded = async (kv: KVNamespace, jurisdiction: string): Promise<boolean> =>
  (await kv.get(trustListKey(TRUSTED_LIST_SOURCE, jurisdiction))) !== null &&
  (await isCertain(kv, TRUSTED_LIST_SOURCE, jurisdiction));

const limitsOf = ({ env, maxListBytes }: StepInput) => ({
  maxBytes: maxListBytes,
  timeoutMs: env.REFRESH_TIMEOUT_SECONDS * 1000,
});

/** A pivot is a past list of lists. New signers are named in the Official Journal long before there are this many since the last. */
const MAX_PIVOTS = 8;

export const refreshListOfLists: Step = async (input) => {
  const { env, stepState, now } = input;
  const loaded = await readListOfLists(env.KV);
  const { validators } = loaded && (await isLoaded(env.KV, LIST_OF_LISTS)) ? readStepState(stepState) : NOTHING_KNOWN;
  const got = await getIfChanged(env.LOTL_URL, validators, limitsOf(input));
  if (!got.ok) return { ...got, light: true };
  if (got.bytes === null) return { ...unchanged(LIST_OF_LISTS), stepState };
  const { bytes } = got;
  const offered = {
    ...{ bytes, listOfLists: loaded, expected: LIST_OF_LISTS, now, newest: readNewest(stepState) },
    onAccepted: noteNewest(LIST_OF_LISTS, input),
  };
  let accepted = await acceptPublishedList(env.KV, offered);
  if (!accepted.ok && accepted.reason === "unknown signer") {
    const pivots = await fetchPivots(bytes, input);
    if (pivots.length > 0) accepted = await acceptPublishedList(env.KV, { ...offered, pivots });
  }
  if (!accepted.ok) return refused(env.LOTL_URL, accepted);
  // a territory that is named with a list for people only (PDF) has nothing to refresh
  const readable = accepted.list.pointers.filter(({ mimeType }) => mimeType === LIST_MIME_TYPE);
  const territories = new Set(readable.map(({ territoryOnList }) => canonicalCountry(territoryOnList)));
  territories.delete(LIST_OF_LISTS);
  await addRefreshes(
    env.DB,
    [...territories].map((territory) => trustTask(TRUSTED_LIST_SOURCE, territory)),
    now,
  );
  return done(accepted, { validators: got.validators, listOfLists: null, reading: READING }, now);
};

/** `jurisdiction` is an ISO code. After a new list of lists, an unchanged national list is verified again. */
export async function refreshNationalList(jurisdiction: string, input: StepInput): Promise<StepResult> {
  const { env, stepState, now, maxWrites } = input;
  const listOfLists = await readListOfLists(env.KV);
  if (!listOfLists) return { ok: false, message: "no list of lists is loaded", light: true };
  // what it names, and whom as signers, may have changed since
  const newest = await findNewestListOfLists(env.DB);
  if (newest && isOlder(listOfLists, newest))
    return { ok: false, message: "Workers KV does not show yet the list of lists that was loaded last", light: true };
  const pointer = listOfLists.pointers.find((each) => canonicalCountry(each.territoryOnList) === jurisdiction);
  if (!pointer) return await dropList(jurisdiction, input);
  const known = readStepState(stepState);
  const template = env.TRUSTED_LIST_URL_TEMPLATE;
  const url = template ? template.replace("{territory}", pointer.territoryOnList) : pointer.location;
  const { sequenceNumber, issuedAt } = listOfLists;
  const sameSigners = known.listOfLists?.sequenceNumber === sequenceNumber && known.listOfLists.issuedAt === issuedAt;
  const isKnown = sameSigners && (await isLoaded(env.KV, jurisdiction));
  const got = await getIfChanged(url, isKnown ? known.validators : {}, limitsOf(input));
  if (!got.ok) return { ...got, light: true };
  if (got.bytes === null) return { ...unchanged(jurisdiction), stepState };
  const accepted = await acceptPublishedList(env.KV, {
    bytes: got.bytes,
    listOfLists,
    expected: jurisdiction,
    newest: readNewest(stepState),
    onAccepted: noteNewest(jurisdiction, input),
    now,
    maxWrites,
  });
  if (!accepted.ok)
    return accepted.reason === "unsettled" ? waiting(accepted.message, stepState) : refused(url, accepted);
  return done(
    accepted,
    { validators: got.validators, listOfLists: { sequenceNumber, issuedAt }, reading: READING },
    now,
  );
}

/**
 * A list is trusted because the list of lists names it (TS 119 615 clause 4.2). One that it names no longer, as it did with
 * the United Kingdom's in 2021, loses its services; its number is kept, in case it is named again.
 */
async function dropList(jurisdiction: string, { env, stepState, now, maxWrites }: StepInput): Promise<StepResult> {
  const wait = findWait(stepState, DROPPED, now);
  if (wait !== null) return waiting(wait, stepState);
  const summary = `the list of lists names no list for ${jurisdiction}`;
  const loaded = await env.KV.get<TrustListManifest>(trustListKey(TRUSTED_LIST_SOURCE, jurisdiction), "json");
  const dropped = loaded?.anchors === 0 && (await isCertain(env.KV, TRUSTED_LIST_SOURCE, jurisdiction));
  if (!loaded || dropped) return { ok: true, stepState, unfinished: false, heavy: false, summary };
  const newest = readNewest(stepState);
  const { sequenceNumber, issuedAt = loaded.issuedAt } = newest ? findLater(newest, loaded) : loaded;
  const { source } = loaded;
  const empty = { source, jurisdiction, sequenceNumber, issuedAt, nextUpdate: null, services: 0, anchors: [] };
  const state = { ...NOTHING_KNOWN, ...noteDrop(newest, now) };
  await keepStepState(env.DB, trustTask(TRUSTED_LIST_SOURCE, jurisdiction), state);
  const { written, removed, left } = await importTrustList(env.KV, empty, now, maxWrites);
  const counts = `${written + removed} names lose their services, ${left} left`;
  return {
    ...{ ok: true, stepState: state, unfinished: left > 0, heavy: true },
    summary: `${summary} any more: ${counts}`,
  };
}

/**
 * Oldest first: those that can be fetched, from the newest back. Their signatures are verified later, and whether they
 * are enough.
 */
async function fetchPivots(listOfLists: Uint8Array, input: StepInput): Promise<Uint8Array[]> {
  const claimed = await answerRefusals(async () => ({ ok: true, urls: claimedPivots(listOfLists) }) as const);
  const pivots: Uint8Array[] = [];
  for (const url of claimed.ok ? claimed.urls.slice(0, MAX_PIVOTS) : []) {
    // same origin as the list of lists only: the list that names them is not verified yet
    if (URL.parse(url)?.origin !== URL.parse(input.env.LOTL_URL)?.origin) break;
    const got = await getIfChanged(url, {}, limitsOf(input));
    if (!got.ok || got.bytes === null) break;
    pivots.unshift(got.bytes);
  }
  return pivots;
}

const unchanged = (territory: string) =>
  ({ ok: true, unfinished: false, heavy: false, summary: `the list of ${territory} is unchanged` }) as const;

/** In the line on a refresh; `status` shows more. */
const MOST_SKIPPED = 3;

const waiting = (summary: string, stepState: unknown) =>
  ({ ok: true, stepState, unfinished: true, heavy: true, waits: true, summary }) as const;

const refused = (url: string, { reason, message }: PublishedList & { ok: false }): StepResult => ({
  ok: false,
  message: `${url} was refused: ${reason}: ${message}`,
});

function done(
  { list, counts, stale, fellFrom }: PublishedList & { ok: true },
  stepState: z.output<typeof STEP_STATE>,
  now: Instant,
): StepResult {
  const { territory, sequenceNumber, issued } = list;
  const { written, removed, left } = counts;
  const skipped = list.skipped.length === 0 ? "" : `; not used: ${nameSkipped(list.skipped, MOST_SKIPPED).join("; ")}`;
  const fall = fellFrom === undefined ? "" : `, which fell from ${fellFrom}`;
  const age = stale ? `, ${list.nextUpdate === null ? "closed" : "past its nextUpdate"}` : "";
  const summary = `the list of ${territory}, number ${sequenceNumber}${fall}${age}: ${written} names written, ${removed} removed, ${left} left${skipped}`;
  // if unfinished, no validators are kept: the next step fetches the same list again and continues
  const known = {
    ...(left > 0 ? NOTHING_KNOWN : stepState),
    ...noteImport({ sequenceNumber, issuedAt: issued }, now),
  };
  return { ok: true, stepState: known, unfinished: left > 0, heavy: true, summary };
}

/** Identifies the version of a file that was fetched (RFC 9110 section 13.1). ETag and Last-Modified are the server's, the hash is our own. */
interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** SHA-256, hex. */
  readonly sha256?: string | undefined;
}

type ConditionalAnswer =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer>; readonly validators: Validators }
  | { readonly ok: true; readonly bytes: null }
  | { readonly ok: false; readonly message: string };

const NOT_MODIFIED = 304;

/** `bytes` is null if the file has not changed. Does not throw: every failure is a result. */
async function getIfChanged(
  url: string,
  known: Validators,
  { maxBytes, timeoutMs }: { maxBytes: number; timeoutMs: number },
): Promise<ConditionalAnswer> {
  const headers = {
    ...(known.etag && { "If-None-Match": known.etag }),
    ...(known.lastModified && { "If-Modified-Since": known.lastModified }),
  };
  const fetched = await fetchLimited({ url, method: "GET", headers, maxBytes, timeoutMs });
  const isConditional = Object.keys(headers).length > 0;
  if (!fetched.ok && fetched.status === NOT_MODIFIED && isConditional) return { ok: true, bytes: null };
  if (!fetched.ok) return { ok: false, message: `${url} ${fetched.message}` };
  const sha256 = createHash("sha256").update(fetched.bytes).digest("hex");
  if (sha256 === known.sha256) return { ok: true, bytes: null };
  const etag = fetched.headers.get("ETag") ?? undefined;
  const lastModified = fetched.headers.get("Last-Modified") ?? undefined;
  return { ok: true, bytes: fetched.bytes, validators: { etag, lastModified, sha256 } };
}
