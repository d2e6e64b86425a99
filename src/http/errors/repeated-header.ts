/** Says of a header that was refused that it came twice. HTTP joins the values by a comma (RFC 9110 section 5.3). */
import type { Context } from "hono";
import type { AppEnv } from "../context.ts";
import type { Problem } from "./errors.ts";
import type { ErrorCode } from "./every-code.ts";

/** By which code each is refused. Valid values of these have no comma; an eIDAS header may be a list. */
const HEADERS: Readonly<Partial<Record<ErrorCode, string>>> = {
  credentials_missing: "Authorization",
  credentials_invalid: "Authorization",
  fi_reference_id_invalid: "fi_reference_id",
  version_invalid: "version",
  content_type_invalid: "Content-Type",
  certificate_unreadable: "eidas",
  ccg_token_invalid: "ccg_token",
  access_token_invalid: "access_token",
};

/** A title that names no value; null if the header did not come twice, or is not what the problem is about. */
export function explainRepeatedHeader(c: Context<AppEnv>, { code, title = "" }: Problem): string | null {
  const name = HEADERS[code];
  // the certificate may be in the body
  if (name === undefined || (name === "eidas" && !title.startsWith("Header eidas"))) return null;
  const [first, ...others] = (c.req.header(name) ?? "").split(/\s*,\s*/);
  if (others.length === 0) return null;
  const came = others.length === 1 ? "twice" : `${others.length + 1} times`;
  if (others.every((value) => value === first))
    return `Header ${name} came ${came}, each time with the same value: send it once`;
  return name === "eidas" ? null : `Header ${name} has a comma, as if it came ${came}: send it once, with one value`;
}
