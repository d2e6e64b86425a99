/**
 * The forms of version 1.6 (interface, "Versioning" 2 and 3): an adapter around the handlers of their successors, which
 * translates names and shapes and decides nothing. It renames the request's headers, so that all later steps see a
 * request of version 1; the files beside it translate bodies. Errors have the form of 1.7: the earlier one is not shown
 * in the interface.
 *
 * Each answer says that the form is deprecated (RFC 9745), until when it is promised (RFC 8594), and what replaces it.
 */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../../http/context.ts";
import { baseUrl } from "../../http/errors/errors.ts";
import { runSteps, type Step } from "../../http/steps.ts";
import { toSeconds } from "../../platform/clock.ts";
import { OLDER_STEPS } from "./grants.ts";
import { readAheadTpp, TPP_CHECK } from "./tpp_eidas.ts";

/**
 * The names before 1.7, and those since. They are exchanged: what has a new name in a request of the older form is not read,
 * and is said to have the other form's name (`inOlderWords`).
 */
const RENAMED = [
  ["x-eidas", "eidas"],
  ["x-ccg-token", "ccg_token"],
] as const;

/** The day of release 0.2.0, the first release with a date: from then on 1.7 is the form to use. */
const DEPRECATED_SINCE = Date.UTC(2026, 10, 22);

/** Names of headers and scopes as callers of these forms know them (interface, "Versioning"). */
const inOlderWords = (title: string): string =>
  title
    .replace(
      /: (x-\S+) was renamed to (\S+) in version 1\.7$/,
      ": $2 is its name since version 1.7, and this path is of 1.6",
    )
    .replace(/\bHeader eidas\b/, "Header x-eidas")
    .replace(/\bccg_token\b/, "x-ccg-token")
    .replace("payments or accounts", "Payment initiation services or Account information services");

/** Only for endpoints that have a successor (app.ts). */
export const olderForm = createMiddleware<AppEnv>(async (c, next) => {
  const { successor = "" } = c.get("endpoint");
  const headers = new Headers(c.req.raw.headers);
  for (const [older, name] of RENAMED) {
    const sent = [headers.get(name), headers.get(older)];
    for (const [i, spelling] of [older, name].entries()) {
      headers.delete(spelling);
      if (sent[i] != null) headers.set(spelling, sent[i]);
    }
  }
  // 1.6 had no such header; its fields are those of the interface and no others
  headers.set("version", "1");
  c.req.raw = new Request(c.req.raw, { headers });
  c.set("spell", inOlderWords);
  if (c.get("endpoint").path === TPP_CHECK) readAheadTpp(c);
  await next();
  setDeprecation(c, successor);
});

/** The last step (app.ts): what has a successor has no other line there. */
export const answerOlderForm: Step = (c, next) => runSteps(OLDER_STEPS[c.get("endpoint").path] ?? [], c, next);

function setDeprecation(c: Context<AppEnv>, successor: string): void {
  const base = baseUrl(c.env.BASE_URL, c.req.url);
  const sunset = readSunset(c.env.LEGACY_1_6_SUNSET);
  c.header("Deprecation", `@${toSeconds(DEPRECATED_SINCE)}`);
  if (sunset !== null) c.header("Sunset", sunset);
  // without the token of a path; RFC 5829 section 3.4, RFC 9745 section 3
  const links = [
    `<${base}${successor}>; rel="successor-version"`,
    `<${base}/docs/versions#moving-from-1-6>; rel="deprecation"; type="text/html"`,
  ];
  c.header("Link", links.join(", "));
}

/** An HTTP date (RFC 9110 section 5.6.7): the end of the configured day, in UTC. Null if it is not a date. */
function readSunset(day: string): string | null {
  const end = /^\d{4}-\d\d-\d\d$/.test(day) ? new Date(`${day}T23:59:59Z`) : null;
  return end && !Number.isNaN(end.getTime()) ? end.toUTCString() : null;
}
