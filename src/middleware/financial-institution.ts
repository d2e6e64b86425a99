/** Who calls: Basic credentials (RFC 7617) and the `fi_reference_id` that they speak for, else 401. */
import { createMiddleware } from "hono/factory";
import { now } from "../clock.ts";
import type { AppEnv } from "../context.ts";
import { fromBase64 } from "../encoding.ts";
import { ApiError } from "../errors.ts";
import { authenticate, type FinancialInstitution } from "../financial-institutions.ts";
import { heapBytes } from "../heap-bytes.ts";
import { Memory } from "../memory.ts";
import { MEMORY_SHARES } from "../memory-shares.ts";
import { hashSecret } from "../secrets.ts";
import { ReadAheadGate } from "./read-ahead-gate.ts";

/** How long an isolate remembers verified credentials: a disabled institution is out within this time. */
const CREDENTIALS_MEMORY_SECONDS = 60;

/** By a hash: memory holds no secret. Exported for the test that fills it. */
export const verifiedCredentials = new Memory<FinancialInstitution>(MEMORY_SHARES.credentials, heapBytes);

/** Exported for the test that fills its memory. */
export const readAheadGate = new ReadAheadGate();

export const financialInstitution = createMiddleware<AppEnv>(async (c, next) => {
  const authorization = c.req.header("Authorization") ?? "";
  const fiReferenceId = c.req.header("fi_reference_id") ?? "";
  const credentials = parseBasic(authorization);
  if (!/^basic /i.test(authorization)) throw new ApiError({ code: "credentials_missing" }, CHALLENGE);
  if (!credentials) throw new ApiError({ code: "credentials_invalid" }, CHALLENGE);
  if (!fiReferenceId) throw new ApiError({ code: "fi_reference_id_missing" });

  const key = hashSecret(`${authorization}\n${fiReferenceId}`);
  let fi = verifiedCredentials.get(key, now());
  if (!fi) {
    const asked = now();
    const { clientId, secret } = credentials;
    const result = await readAheadGate.lookUp(
      clientId,
      asked,
      () => c.var.readAhead?.(),
      () => authenticate(c.env.DB, clientId, secret, fiReferenceId),
    );
    if (!result.ok) {
      if (result.reason === "fi_reference_id") throw new ApiError({ code: "fi_reference_id_invalid" });
      throw new ApiError({ code: "credentials_invalid" }, CHALLENGE);
    }
    fi = result.fi;
    verifiedCredentials.set(key, fi, asked + CREDENTIALS_MEMORY_SECONDS * 1000, asked);
  }
  c.set("fi", fi);
  await next();
});

// RFC 9110 section 15.5.2: a 401 carries a challenge
const CHALLENGE = { "WWW-Authenticate": 'Basic realm="financial institution", charset="UTF-8"' };

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Far above what `fi add` gives out. */
const MAX_AUTHORIZATION_CHARACTERS = 1_024;

/** RFC 7617: base64 of `client-id:secret`; the id holds no colon, the secret may. */
function parseBasic(authorization: string): { clientId: string; secret: string } | null {
  if (authorization.length > MAX_AUTHORIZATION_CHARACTERS) return null;
  const bytes = fromBase64(authorization.replace(/^basic +/i, ""));
  if (!bytes) return null;
  try {
    const text = utf8.decode(bytes);
    const colon = text.indexOf(":");
    return colon < 1 ? null : { clientId: text.slice(0, colon), secret: text.slice(colon + 1) };
  } catch {
    return null;
  }
}
