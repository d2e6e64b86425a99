/**
 * The certificate of the header `eidas`, parsed once per request. Store reads for its first certificate may start while
 * the caller's credentials are still being verified (financial-institution.ts): on a cold isolate this is one round trip
 * instead of two. Before the caller is authenticated no other certificate is parsed, nothing is fetched from a QTSP,
 * and nothing is answered.
 */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { EidasHeaderFault } from "../../eidas/certificate-text.ts";
import { type EidasHeader, parseEidasHeader, readFirstCertificate } from "../../eidas/eidas-header.ts";
import { observeCertificate } from "../../events/observations.ts";
import { keepEvidence } from "../../evidence/ledger/kept-documents.ts";
import type { Client } from "../../grants/client.ts";
import type { Instant } from "../../platform/instant.ts";
import { heapBytes, type Memory, memoryKey, memoryOf } from "../../platform/memory.ts";
import { type Chain, chainKey } from "../../psp-check/check-budget.ts";
import { AT_HOME, decideOnCheck, findVerdictError } from "../../psp-check/decision.ts";
import type { ChainChecks } from "../../psp-check/many-checks.ts";
import { checkPsp, type PspCheck, recallAny, recallCheck } from "../../psp-check/psp-check.ts";
import { readAhead } from "../../psp-check/psp-readings.ts";
import { SCOPES } from "../../registers/entitlement.ts";
import type { AppEnv } from "../context.ts";
import { ApiError } from "../errors/errors.ts";
import { loadAhead } from "../steps.ts";
import { keepBasis, noteCheck } from "./noted-check.ts";
import { explainMissingHeader } from "./request-headers.ts";

/** What is cached of a text. */
interface KnownText {
  /** Of its chain: see `chainKey`. */
  readonly key: string;
  /** Of its leaf. */
  readonly notAfter: Instant;
}

/** Of the object and its number, without the key: {@link heapBytes} counts for objects of any size. */
const KNOWN_TEXT_BYTES = 64;

const summarise = (chain: Chain): KnownText => ({ key: chainKey(chain), notAfter: chain.leaf.notAfter });

const bytesOf = ({ key }: KnownText): number => heapBytes(key) + KNOWN_TEXT_BYTES;

/**
 * Cache: a header -> its chain. The same text always contains the same chain, so entries do not become stale. By the text
 * itself: a digest of it takes longer than all else that a seen certificate needs. The parsed certificates are not cached,
 * because they are needed only when the check is repeated: they would take a hundred times the memory, and save 0.1 ms every
 * half minute.
 */
const knownHeaders = memoryOf<KnownText>("headers", bytesOf);

/** The same of texts in bodies and of long headers, by their digests: a text that was cut from a body keeps the whole body in memory. */
const knownTexts = memoryOf<KnownText>("texts", bytesOf);

/** Of a header that is kept as it is: a certificate with two issuers. A longer one would drive out many others. */
const MAX_KEPT_CHARACTERS = 8 * 1024;

/** Where the chain of a header is cached, and by which text. */
const placeOf = (header: string): readonly [Memory<KnownText>, string] =>
  header.length > MAX_KEPT_CHARACTERS ? [knownTexts, memoryKey(header)] : [knownHeaders, header];

/** The parsed certificate, or its fault; null without the header. */
export function readPresented(c: Context<AppEnv>): EidasHeader | null {
  const header = c.req.header("eidas");
  if (!header) return null;
  const presented = c.get("presented") ?? parseEidasHeader(header, c.get("first"));
  c.set("presented", presented);
  return presented;
}

/** The cached check of the header's certificate, if there is a recent one. `jurisdiction` as in `checkPsp`. */
function recallPresented(c: Context<AppEnv>, jurisdiction: string | null, now: Instant): PspCheck | null {
  const [texts, text] = placeOf(c.req.header("eidas") ?? "");
  const seen = texts.get(text, now);
  return seen === undefined ? null : recallCheck(seen.key, jurisdiction, now);
}

/** Checks the header's certificate as `checkPsp`, or returns the header's fault; null without the header. */
export async function checkPresented(
  c: Context<AppEnv>,
  jurisdiction: string | null,
  now: Instant,
): Promise<{ readonly ok: true; readonly check: PspCheck } | EidasHeaderFault | null> {
  const known = recallPresented(c, jurisdiction, now);
  if (known) return { ok: true, check: known };
  const chain = readPresented(c);
  if (!chain?.ok) return chain;
  const check = await checkChain(c, chain, jurisdiction);
  remember(...placeOf(c.req.header("eidas") ?? ""), summarise(chain), now);
  return { ok: true, check };
}

/** `jurisdiction`: an ISO code, or null for the home country. */
export async function checkChain(c: Context<AppEnv>, chain: Chain, jurisdiction: string | null) {
  const [env, ctx, now, ahead] = [c.env, c.executionCtx, c.get("now"), c.get("ahead") ?? null];
  const { check, documents } = await checkPsp({ env, ctx, chain, jurisdiction, now, ahead });
  keepEvidence(env, ctx, { documents }, now);
  const observation = observeCertificate(env, ctx, chain, check, now);
  if (observation) c.set("observation", observation);
  return check;
}

/** Starts the reads for the header's first certificate, which usually is the PSP's and the only one. */
export function readPresentedAhead(c: Context<AppEnv>, jurisdiction: string | null): void {
  const header = c.req.header("eidas");
  if (!header || recallPresented(c, jurisdiction, c.get("now"))) return;
  const first = readFirstCertificate(header);
  if (!first) return;
  c.set("first", first);
  c.set("ahead", readAhead(c.env.KV, first, jurisdiction, c.get("now")));
}

/** A certificate in a body: its chain, or a recent check of it; or its fault. */
export type PresentedText =
  | ({
      readonly ok: true;
      /** Digest of the text. */
      readonly text: string;
      readonly subject: ChainChecks["subject"];
    } & KnownText)
  | EidasHeaderFault;

/** Parses the text, unless there is a cached check of it for a jurisdiction or its home country. */
export function presentText(given: string, jurisdictions: readonly string[], now: Instant): PresentedText {
  const text = memoryKey(given);
  const seen = knownTexts.get(text, now);
  const known = seen === undefined ? null : recallAny(seen.key, jurisdictions, now);
  if (seen !== undefined && known) return { ok: true, ...seen, text, subject: { known } };
  const chain = parseEidasHeader(given);
  return chain.ok ? { ok: true, ...summarise(chain), text, subject: { chain } } : chain;
}

/** Caches which chain a text in a body contains: `text` is its digest. */
export const rememberText = ({ text, key, notAfter }: KnownText & { readonly text: string }, now: Instant): void =>
  remember(knownTexts, text, { key, notAfter }, now);

const remember = (texts: Memory<KnownText>, text: string, known: KnownText, now: Instant): void =>
  texts.set(text, known, Number.POSITIVE_INFINITY, now);

/** Starts reads for the certificate, and `load` of the endpoint's module. In the core flow only POST needs one, and sends it. */
export const readAheadCertificate = (load: () => Promise<unknown>) =>
  createMiddleware<AppEnv>(async (c, next) => {
    if (c.req.method === "POST" || c.req.path === "/v1/access")
      c.set("readAhead", () => {
        readPresentedAhead(c, null);
        loadAhead(load);
      });
    await next();
  });

export const certificate = createMiddleware<AppEnv>(async (c, next) => {
  const presented = await checkPresented(c, null, c.get("now"));
  if (!presented) throw new ApiError({ code: "certificate_missing", title: explainMissingHeader(c, "eidas") });
  if (!presented.ok)
    throw new ApiError({ code: "certificate_unreadable", title: `Header eidas is unreadable: ${presented.message}` });
  c.set("client", requireClient(c, presented.check));
  await next();
});

/** For POST /v1/obie/ccg_tokens, where the certificate is in the body. Throws {@link ApiError} 401. */
export async function authenticateText(
  c: Context<AppEnv>,
  { subject, text }: PresentedText & { readonly ok: true },
): Promise<Client> {
  if ("known" in subject) return requireClient(c, subject.known);
  const check = await checkChain(c, subject.chain, null);
  rememberText({ text, ...summarise(subject.chain) }, c.get("now"));
  return requireClient(c, check);
}

function requireClient(c: Context<AppEnv>, check: PspCheck): Client {
  noteCheck(c, check, decideOnCheck(check, AT_HOME, c.get("now")));
  keepBasis(c, check);
  const { psp, home } = check;
  const failed = findVerdictError(check);
  if (failed) throw new ApiError({ code: failed.code, title: failed.message });
  if (psp.pspId === null || home === null) throw new ApiError({ code: "certificate_authorisation_number_missing" });
  return { pspId: psp.pspId, services: psp.paymentServices, scopes: SCOPES, home: Promise.resolve(home) };
}
