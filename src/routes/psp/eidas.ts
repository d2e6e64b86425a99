/** GET /v1/psp/eidas?jurisdiction=CC: the PSP check. */

import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { EidasHeaderFault } from "../../eidas/certificate-text.ts";
import type { AppEnv } from "../../http/context.ts";
import { ApiError, type Problem } from "../../http/errors/errors.ts";
import { checkPresented, readPresented, readPresentedAhead } from "../../http/middleware/certificate.ts";
import { keepAnswer, keepBasis, noteCheck, requestEvidence } from "../../http/middleware/noted-check.ts";
import { explainMissingHeader } from "../../http/middleware/request-headers.ts";
import { isUserAssigned, readKnownCountry } from "../../platform/country.ts";
import { quote } from "../../platform/quotation.ts";
import { sendAnswer } from "../../psp-check/answer.ts";
import { decideOnCheck } from "../../psp-check/decision.ts";
import { describeOnce } from "../../psp-check/kept-answers.ts";
import type { PspCheck } from "../../psp-check/psp-check.ts";
import type * as answers from "./eidas.answer.ts";

/** Starts reads before the FI is authenticated; see http/middleware/certificate.ts. */
export const readAhead = createMiddleware<AppEnv>(async (c, next) => {
  c.set("readAhead", () => {
    const { jurisdiction } = parseJurisdiction(c);
    if (jurisdiction) readPresentedAhead(c, jurisdiction);
  });
  await next();
});

export async function answerPspCheck(c: Context<AppEnv>): Promise<Response> {
  const [now, version] = [c.get("now"), c.get("version")];
  const { check, jurisdiction, decision } = await checkHeader(c, parseJurisdiction(c));
  // a jurisdiction without problems is one
  const place = { jurisdiction: jurisdiction ?? "", bankPassports: c.get("fi").bankPassports };
  const answer = describeOnce(check, place, version, now, decision);
  c.set("keptAnswer", keepAnswer(c, check, answer));
  return c.json(sendAnswer(answer, requestEvidence(c)) satisfies answers.PspCheck);
}

/** Checks the header's certificate and notes it for the log. Throws 404 for problems, and for those of the header. */
export async function checkHeader(c: Context<AppEnv>, { jurisdiction, problems }: ParsedJurisdiction) {
  const now = c.get("now");
  if (problems.length > 0) {
    const { explainMissing } = await import("../../http/errors/query-names.ts");
    const explained = problems.map((problem) => {
      const title = problem.title ?? explainMissing("jurisdiction", Object.keys(c.req.query()));
      return { ...problem, ...(title !== null && { title }) };
    });
    throw new ApiError([...explained, ...findHeaderProblems(c, readPresented(c))]);
  }
  if (jurisdiction !== null) c.set("jurisdiction", jurisdiction);
  const presented = await checkPresented(c, jurisdiction, now);
  if (!presented?.ok) throw new ApiError(findHeaderProblems(c, presented));
  const { check } = presented;
  const { bankPassports } = c.get("fi");
  const decision = decideOnCheck(check, { jurisdiction, bankPassports }, now, check.restsOn.registerMaxAges);
  noteCheck(c, check, decision);
  const unknown = jurisdiction === null ? null : findCountryProblem(jurisdiction, check);
  if (unknown) {
    keepBasis(c, check);
    throw new ApiError(unknown);
  }
  return { check, jurisdiction, decision };
}

interface ParsedJurisdiction {
  readonly jurisdiction: string | null;
  readonly problems: readonly Problem[];
}

/** An upper-case ISO code, or null and the problems. */
export function parseJurisdiction(c: Context<AppEnv>): ParsedJurisdiction {
  const problems: Problem[] = [];
  const [given, ...more] = c.req.queries("jurisdiction") ?? [];
  const jurisdiction = more.length === 0 ? readKnownCountry(given ?? "") : null;
  if (!given) problems.push({ code: "jurisdiction_missing" });
  // rejected because one reader might use the first value, and another one the last
  else if (more.length > 0) problems.push({ code: "jurisdiction_invalid", title: "jurisdiction is given twice" });
  else if (!jurisdiction) problems.push(refuseCountry(given));
  return { jurisdiction, problems };
}

/** The problem of a jurisdiction that is not a country. */
export const refuseCountry = (given: string): Problem => ({
  code: "jurisdiction_invalid",
  title: `jurisdiction ${quote(given)} ${NO_COUNTRY}`,
});

/** Here the certificate is the subject of the request, not a credential, so an unreadable one is not a 401. */
function findHeaderProblems(c: Context<AppEnv>, presented: { readonly ok: true } | EidasHeaderFault | null): Problem[] {
  if (!presented) return [{ code: "certificate_missing", status: 404, title: explainMissingHeader(c, "eidas") }];
  if (presented.ok) return [];
  return [{ code: "certificate_unreadable", status: 404, title: `Header eidas is unreadable: ${presented.message}` }];
}

const NO_COUNTRY =
  "is not a country: a two-letter code of ISO 3166-1 such as FI is expected (EL and UK stand for GR and GB)";

/** A user-assigned code of ISO 3166-1, such as the sandbox's XX, is valid only if a register is loaded for it. */
export function findCountryProblem(jurisdiction: string, { home, host }: PspCheck): Problem | null {
  const reading = host ?? home;
  if (!isUserAssigned(jurisdiction) || reading === null || reading.manifests.length > 0) return null;
  const title = `jurisdiction ${jurisdiction} is a user-assigned code of ISO 3166-1, and no register is loaded for it`;
  return { code: "jurisdiction_invalid", title };
}
