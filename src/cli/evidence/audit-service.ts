/**
 * The ledger of one institution as the operator's commands read it: from the running service over HTTP, by a pass that is
 * made for the command (src/institutions/operator-pass.ts). The service is that of `npm start`, or with --remote the deployed one.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import type { LedgerRecord } from "../../evidence/ledger/record.ts";
import { ALTERED } from "../../evidence/ledger/record-documents.ts";
import type { PublicSigningKey } from "../../evidence/signatures/signing-keys.ts";
import { listFinancialInstitutions } from "../../institutions/financial-institutions.ts";
import { deletePass, insertPass, PASS_LIFETIME_MS } from "../../institutions/operator-pass.ts";
import { clock } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import type { AuditRecord, RecordList } from "../../routes/audit.answer.ts";
import { EXIT, fail, readInput } from "../fail.ts";
import { findLocalAddress } from "../start/local-address.ts";
import { withStores } from "../stores.ts";
import { addTargetOptions, type TargetOptions, targetOf } from "../target.ts";

export interface AuditOptions extends TargetOptions {
  readonly fi: string;
  readonly url?: string;
}

const REFERENCE = "--reference, --fi <reference>";

const addUrlOption = (command: Command): Command =>
  command.option("--url <address>", "of the running service (by default that of npm start, with --remote BASE_URL)");

export const addAuditOptions = (command: Command): Command =>
  addUrlOption(addTargetOptions(command).requiredOption(REFERENCE, "the institution's fi_reference_id"));

/** Of a command that without an institution reads the ledgers of all. */
export const addAuditOptionsOfAll = (command: Command): Command =>
  addUrlOption(addTargetOptions(command).option(REFERENCE, "the institution's fi_reference_id; without it: of all"));

const TIMEOUT_MS = 60_000;
const ATTEMPTS = 4;
const MAX_PAGE = 200;

/** Which records. */
interface RecordFilter {
  readonly from?: Instant | undefined;
  /** Before this instant. */
  readonly to?: Instant | undefined;
  /** Authorisation number. */
  readonly psp?: string | undefined;
  /** Such as `GET /v1/psp/eidas`. */
  readonly endpoint?: string | undefined;
}

export type ListedRecord = Omit<RecordList["data"][number], "record"> & { readonly record: LedgerRecord };
type Page = Omit<RecordList, "data"> & { readonly data: readonly ListedRecord[] };
export type Gap = RecordList["gaps"][number];

export interface AuditService {
  /** Newest first, page by page, of at most `limit` records each. */
  readonly pages: (filter: RecordFilter, limit?: number) => AsyncGenerator<Page>;
  readonly record: (id: string) => Promise<AuditRecord["data"] | null>;
  /** What a record is based on; null if it is not kept. Other bytes, whose SHA-256 is another one, if it was altered. */
  readonly document: (id: string, sha256: string) => Promise<Uint8Array | null>;
  /** Public: of the service, not of the institution. */
  readonly keys: () => Promise<PublicSigningKey[]>;
  /** The answer to any other request of the audit, with these headers beside the usual ones. */
  readonly ask: (path: string, headers: Readonly<Record<string, string>>) => Promise<Response>;
  /** Of the service. */
  readonly url: string;
}

/** Makes a pass, runs `work`, and deletes the pass, also after a failure. `db`: the first database. */
export const withAuditService = <Result>(
  options: AuditOptions,
  work: (service: AuditService, db: D1Database) => Promise<Result>,
): Promise<Result> =>
  withStores(targetOf(options), ({ env }) => openAudit(env, options, options.fi, (service) => work(service, env.DB)));

/** The same of each institution, one after the other. Without `fi`: of all that are stored. */
export const withAuditServices = <Result>(
  options: Omit<AuditOptions, "fi"> & { readonly fi?: string },
  work: (service: AuditService) => Promise<Result>,
): Promise<Result[]> =>
  withStores(targetOf(options), async ({ env }) => {
    const all = options.fi === undefined ? await listFinancialInstitutions(env.DB) : [{ fi_reference_id: options.fi }];
    const results: Result[] = [];
    for (const { fi_reference_id: fi } of all) results.push(await openAudit(env, options, fi, work));
    return results;
  });

async function openAudit<Result>(
  env: Env,
  options: Omit<AuditOptions, "fi">,
  fi: string,
  work: (service: AuditService) => Promise<Result>,
): Promise<Result> {
  const url = readUrl(options.url ?? (targetOf(options).remote ? env.BASE_URL : await findLocalAddress()));
  const pass = holdPass(env.DB, fi);
  const currentPass = async (): Promise<string> =>
    (await pass.current(clock.now())) ?? fail(`${fi}: no such institution`);
  try {
    return await work(makeService(url, fi, currentPass));
  } finally {
    await pass.end();
  }
}

const HERE = ["127.0.0.1", "localhost", "[::1]"];

/** Whether nobody on the way can read or change what is sent: it is encrypted, or does not leave this machine. */
const isProtected = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || (protocol === "http:" && HERE.includes(hostname));

/** A pass opens a ledger, so it travels encrypted, or not at all. */
function readUrl(text: string): string {
  const url = URL.parse(text);
  if (!url) fail("--url: the address of the service is needed, such as https://gate.bank.example", EXIT.usage);
  if (!isProtected(url)) fail(`--url: ${text} is neither https nor on this machine`, EXIT.usage);
  return url.href.replace(/\/$/, "");
}

function makeService(url: string, fi: string, currentPass: () => Promise<string>): AuditService {
  const ask: AuditService["ask"] = async (path, headers) => {
    for (let attempt = 1; ; attempt++) {
      const pass = await currentPass();
      const sent = { Authorization: `Bearer ${pass}`, fi_reference_id: fi, version: "latest", ...headers };
      const answer = await send(`${url}${path}`, sent);
      const wait = Number(answer.headers.get("Retry-After") ?? 0);
      if ((answer.status !== 429 && answer.status !== 503) || wait === 0 || attempt === ATTEMPTS) return answer;
      await answer.body?.cancel();
      await sleep(wait * 1000);
    }
  };
  const read = async (path: string): Promise<Response | null> => {
    const answer = await ask(path, {});
    if (answer.ok) return answer;
    const titles = await readTitles(answer);
    if (titles === ALTERED) return new Response();
    if (answer.status === 404) return null;
    return fail(`${url} answered ${answer.status}${titles && `: ${titles}`}`, EXIT.unknown);
  };
  const recordPath = (id: string) => `/v1/audit/records/${encodeURIComponent(id)}`;
  return {
    ...{ url, ask },
    async *pages(filter, limit = MAX_PAGE) {
      for (let cursor: string | undefined; ; ) {
        const answer = await read(`/v1/audit/records?${writeQuery(filter, limit, cursor)}`);
        const page = (await answer?.json()) as Page | undefined;
        if (!page) fail(`${url} has no such path: is it an older psp-gate?`, EXIT.unknown);
        yield page;
        cursor = page.next_cursor;
        if (cursor === undefined) return;
      }
    },
    record: async (id) => ((await (await read(recordPath(id)))?.json()) as AuditRecord | undefined)?.data ?? null,
    document: async (id, sha256) => {
      const answer = await read(`${recordPath(id)}/documents/${sha256}`);
      return answer && new Uint8Array(await answer.arrayBuffer());
    },
    keys: async () => {
      const answer = await read("/.well-known/jwks.json");
      return ((await answer?.json()) as { keys: PublicSigningKey[] } | undefined)?.keys ?? [];
    },
  };
}

async function readTitles(answer: Response): Promise<string> {
  const { errors = [] } = (await answer.json().catch(() => ({}))) as { errors?: { title: string }[] };
  return errors.map(({ title }) => title).join("; ");
}

const send = (address: string, headers: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(address, { headers, redirect: "error", signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error: Error) =>
    fail(`${address} does not answer (${explain(error)}): the ledger is read from the running service`, EXIT.unknown),
  );

const explain = (error: Error): string => (error.cause instanceof Error ? error.cause.message : error.message);

function writeQuery({ from, to, psp, endpoint }: RecordFilter, limit: number, cursor: string | undefined): string {
  const instant = (time: Instant | undefined) => (time === undefined ? undefined : new Date(time).toISOString());
  const parameters = { from: instant(from), to: instant(to), psp_id: psp, endpoint, cursor, limit: String(limit) };
  return String(
    new URLSearchParams(Object.entries(parameters).filter((each): each is [string, string] => each[1] !== undefined)),
  );
}

const RENEW_AFTER_MS = PASS_LIFETIME_MS / 2;

export interface HeldPass {
  /** The pass to send at `now`; null if there is no such institution. */
  readonly current: (now: Instant) => Promise<string | null>;
  /** Deletes all that were made. */
  readonly end: () => Promise<void>;
}

/**
 * Requests are under way at once: they share one pass, and one that was replaced is good until the command ends, since
 * they may still carry it.
 */
export function holdPass(db: D1Database, fiReferenceId: string): HeldPass {
  const made: Promise<string | null>[] = [];
  let madeAt = Number.NEGATIVE_INFINITY;
  return {
    current: async (now) => {
      if (now >= madeAt + RENEW_AFTER_MS) {
        madeAt = now;
        made.push(insertPass(db, fiReferenceId, now));
      }
      return (await made.at(-1)) ?? null;
    },
    end: async () => {
      for (const pass of await Promise.allSettled(made))
        if (pass.status === "fulfilled" && pass.value !== null) await deletePass(db, pass.value);
    },
  };
}

const KEYS_TIMEOUT_MS = 10_000;

/** Of a set in the form of RFC 7517 those that are of this service's kind. */
export async function readKeys(place: string): Promise<PublicSigningKey[]> {
  const address = /^https?:/.test(place) ? URL.parse(place) : null;
  // whoever could change the keys on the way could prove anything by them
  if (address && !isProtected(address)) fail(`--keys: ${place} is neither https nor on this machine`, EXIT.usage);
  const text = address ? await download(place) : new TextDecoder().decode(await readInput(place));
  try {
    const { keys } = JSON.parse(text) as { keys: unknown };
    if (Array.isArray(keys)) return keys.filter(({ crv }) => crv === "Ed25519");
  } catch {}
  return fail(`${place}: expected is a set of keys such as {"keys": [...]} (RFC 7517)`, EXIT.unknown);
}

async function download(address: string): Promise<string> {
  const lost = (error: Error) => fail(`${address} could not be read: ${error.message}`, EXIT.unknown);
  const signal = AbortSignal.timeout(KEYS_TIMEOUT_MS);
  const answer = await fetch(address, { signal, redirect: "error" }).catch(lost);
  if (!answer.ok) fail(`${address} answered ${answer.status}`, EXIT.unknown);
  return await answer.text().catch(lost);
}
