/** Authenticates the FI by Basic credentials (RFC 7617) and the header `fi_reference_id`, else 401. */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import {
  type Authentication,
  authenticate,
  type FinancialInstitution,
} from "../../institutions/financial-institutions.ts";
import { fromBase64 } from "../../platform/encoding.ts";
import type { Instant } from "../../platform/instant.ts";
import { memoryKey, memoryOf } from "../../platform/memory.ts";
import { WRITES_REFUSED_TEXT } from "../../platform/schema-version.ts";
import { hashSecret } from "../../platform/secrets.ts";
import type { AppEnv } from "../context.ts";
import { ApiError } from "../errors/errors.ts";
import { explainMissingHeader } from "./request-headers.ts";

/**
 * How long an isolate caches verified credentials. A disabled or removed institution is rejected after this time at the
 * latest; D1 gives it no token in the meantime (the trigger no_token_for_disabled_institutions).
 */
const CREDENTIALS_MEMORY_SECONDS = 60;

const CLIENT_KNOWN_MS = 3_600_000;
const PAUSE_MS = 60_000;
const MAX_AT_ONCE = 8;

/**
 * Decides for which callers stores are read while the credentials are still being verified: on a cold isolate this saves
 * a round trip, but a caller without credentials must not cause work. It is open for a client that this isolate verified
 * within the last hour, and for any other while no caller was rejected within the last minute; for eight at a time. So a
 * flood of unknown callers causes eight reads, and then none until a minute after its end.
 */
export class ReadAheadGate {
  readonly clients = memoryOf<true>("clients");
  #underWay = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;

  /**
   * Calls `authenticate`. If the gate is open for this client, calls `readAhead` first, which must start the reads without
   * waiting or throwing.
   */
  async lookUp(
    clientId: string,
    now: Instant,
    readAhead: () => void,
    authenticate: () => Promise<Authentication>,
  ): Promise<Authentication> {
    const client = memoryKey(clientId);
    const open = this.#underWay < MAX_AT_ONCE && (now >= this.#pausedUntil || this.clients.get(client, now) === true);
    if (!open) return this.#judge(client, await authenticate(), now);
    this.#underWay++;
    try {
      readAhead();
      return this.#judge(client, await authenticate(), now);
    } finally {
      this.#underWay--;
    }
  }

  /** A correct secret makes the client known, whatever institution it asks for; a wrong one makes it unknown again. */
  #judge(client: string, result: Authentication, now: Instant): Authentication {
    if (result.ok || result.reason === "fi_reference_id") {
      this.clients.set(client, true, now + CLIENT_KNOWN_MS, now);
    } else {
      this.clients.delete(client);
      this.#pausedUntil = now + PAUSE_MS;
    }
    return result;
  }
}

/** Whom the credentials belong to, and for which institution they speak. */
interface VerifiedCaller {
  readonly fi: FinancialInstitution;
  readonly clientId: string;
  /** Whether the database is of a newer release beside which this one must not write. */
  readonly writesRefused: boolean;
}

/** Keyed by a hash, so that memory contains no secrets. */
const verifiedCredentials = memoryOf<VerifiedCaller>("credentials");

const readAheadGate = new ReadAheadGate();

export const financialInstitution = createMiddleware<AppEnv>(async (c, next) => {
  const authorization = c.req.header("Authorization") ?? "";
  const fiReferenceId = c.req.header("fi_reference_id") ?? "";
  const key = keyOf(authorization, fiReferenceId);
  const known = key === null ? undefined : verifiedCredentials.get(key, c.get("now"));
  const { fi, clientId, writesRefused } =
    known ??
    (isOperator(c, authorization)
      ? await admitOperator(c, authorization, fiReferenceId)
      : await verify(c, authorization, fiReferenceId, key));
  c.set("fi", fi);
  c.set("clientId", clientId);
  if (writesRefused && !READS.has(c.req.method))
    throw new ApiError({ code: "temporarily_unavailable", title: WRITES_REFUSED_TEXT });
  await next();
});

/** For who meets an institution that is not active: asks anew, in the place of what is remembered. Throws {@link ApiError} 401. */
export async function verifyAgain(c: Context<AppEnv>): Promise<void> {
  const [authorization, fiReferenceId] = [c.req.header("Authorization") ?? "", c.req.header("fi_reference_id") ?? ""];
  const key = keyOf(authorization, fiReferenceId);
  if (key !== null) verifiedCredentials.delete(key);
  await verify(c, authorization, fiReferenceId, key);
}

const READS = new Set(["GET", "HEAD"]);

/** Null for what cannot have been verified: then the headers are looked at for what is wrong with them. */
const keyOf = (authorization: string, fiReferenceId: string): string | null =>
  authorization === "" || fiReferenceId === "" || authorization.length > MAX_AUTHORIZATION_CHARACTERS
    ? null
    : hashSecret(`${authorization}\n${fiReferenceId}`);

/** 32 bytes in base64url (operator-pass.ts). What has another form is taken as at every other endpoint. */
const PASS = /^bearer +([\w-]{43})$/i;

/** The operator's command line reads ledgers, and nothing else, by a pass. */
const isOperator = ({ req }: Context<AppEnv>, authorization: string): boolean =>
  req.method === "GET" && PASS.test(authorization) && req.path.startsWith("/v1/audit/");

/** Never remembered: a pass ends when it is deleted. Throws {@link ApiError} 401. */
async function admitOperator(
  c: Context<AppEnv>,
  authorization: string,
  fiReferenceId: string,
): Promise<VerifiedCaller> {
  if (!fiReferenceId) throw new ApiError({ code: "fi_reference_id_missing" });
  const { findPass } = await import("../../institutions/operator-pass.ts");
  const [, pass = ""] = PASS.exec(authorization) ?? [];
  const fi = await findPass(c.env.DB, pass, fiReferenceId, c.get("now"));
  if (fi) return { fi, clientId: "(operator)", writesRefused: false };
  const title = "The operator's pass has ended, or is not for this fi_reference_id";
  throw new ApiError({ code: "credentials_invalid", title }, CHALLENGE);
}

/** Throws {@link ApiError} 401. `key`: of {@link verifiedCredentials}. */
async function verify(
  c: Context<AppEnv>,
  authorization: string,
  fiReferenceId: string,
  key: string | null,
): Promise<VerifiedCaller> {
  if (!/^basic /i.test(authorization)) {
    const what = authorization === "" ? "is missing" : "is not of the scheme Basic";
    const title = `Header Authorization ${what}: send Basic and the base64 of client_id:secret`;
    throw new ApiError({ code: "credentials_missing", title }, CHALLENGE);
  }
  const credentials = parseBasic(authorization);
  if (!credentials.ok) {
    const title = `The value after Basic ${credentials.fault}: send the base64 of client_id:secret, as in ${BASIC_EXAMPLE}`;
    throw new ApiError({ code: "credentials_invalid", title }, CHALLENGE);
  }
  if (!fiReferenceId || key === null)
    throw new ApiError({ code: "fi_reference_id_missing", title: explainMissingHeader(c, "fi_reference_id") });

  const { clientId, secret } = credentials;
  const now = c.get("now");
  const result = await readAheadGate.lookUp(
    clientId,
    now,
    () => c.get("readAhead")?.(),
    () => authenticate(c.env.DB, clientId, secret, fiReferenceId, now),
  );
  if (!result.ok) {
    if (result.reason === "fi_reference_id") {
      // the secret was right
      c.set("clientId", clientId);
      throw new ApiError({ code: "fi_reference_id_invalid" });
    }
    throw new ApiError({ code: "credentials_invalid" }, CHALLENGE);
  }
  const caller = { fi: result.fi, clientId, writesRefused: result.writesRefused };
  // the old secret of a rotation is not kept beyond its end
  const expiresAt = Math.min(now + CREDENTIALS_MEMORY_SECONDS * 1000, result.until ?? Number.POSITIVE_INFINITY);
  verifiedCredentials.set(key, caller, expiresAt, now);
  return caller;
}

// RFC 9110 section 15.5.2: a 401 carries a challenge
const CHALLENGE = { "WWW-Authenticate": 'Basic realm="financial institution", charset="UTF-8"' };

const BASIC_EXAMPLE = `Basic ${btoa("my-bank:my-secret")}`;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Far above the length of credentials that `fi add` makes. */
const MAX_AUTHORIZATION_CHARACTERS = 1_024;

/** RFC 7617: base64 of `client-id:secret`. The secret may contain a colon, the id may not. */
export function parseBasic(
  authorization: string,
): { ok: true; clientId: string; secret: string } | { ok: false; fault: string } {
  if (authorization.length > MAX_AUTHORIZATION_CHARACTERS)
    return { ok: false, fault: `is longer than ${MAX_AUTHORIZATION_CHARACTERS} characters` };
  const bytes = fromBase64(authorization.replace(/^basic +/i, ""));
  if (!bytes) return { ok: false, fault: "is not base64" };
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { ok: false, fault: "is not UTF-8 in base64" };
  }
  const colon = text.indexOf(":");
  if (colon < 0) return { ok: false, fault: "contains no colon" };
  if (colon === 0) return { ok: false, fault: "has no client id before its colon" };
  return { ok: true, clientId: text.slice(0, colon), secret: text.slice(colon + 1) };
}
