/** GET /v1/psp/eidas?jurisdiction=CC: the PSP check. */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { AppEnv, Version } from "../../context.ts";
import { isUserAssigned, readKnownCountry } from "../../country.ts";
import type { EidasHeaderFault } from "../../eidas/eidas-header.ts";
import { writeWarnings } from "../../eidas/warnings.ts";
import { ApiError, type Problem } from "../../errors.ts";
import { checkPresented, readPresented, readPresentedAhead } from "../../middleware/presented-certificate.ts";
import { explainMissingHeader } from "../../middleware/request-headers.ts";
import { noteCheck } from "../../middleware/request-log.ts";
import { keepBasis } from "../../middleware/rested-on.ts";
import { type Decision, decideOnCheck } from "../../psp-check/decision.ts";
import type { PspCheck } from "../../psp-check/psp-check.ts";
import { quote } from "../../quotation.ts";
import { checkRegisters } from "../../registers/check.ts";
import { type RegisterMaxAges, registerMaxAges } from "../../registers/manifest.ts";
import { describeEvidence } from "./evidence.ts";
import { type KeptPspCheck, keepAnswer, requestEvidence, writeAnswer } from "./kept-answer.ts";

/** Starts reads before the FI is authenticated; see middleware/presented-certificate.ts. */
export const readAhead = createMiddleware<AppEnv>(async (c, next) => {
  c.set("readAhead", () => {
    const { jurisdiction } = parseJurisdiction(c);
    if (jurisdiction) readPresentedAhead(c, jurisdiction);
  });
  await next();
});

/** Only the check of the certificate is cached; the register data in the answer is evaluated at each request. */
export async function answerPspCheck(c: Context<AppEnv>): Promise<Response> {
  const [now, version] = [c.get("now"), c.get("version")];
  const { check, jurisdiction, maxAges, decision } = await checkHeader(c, parseJurisdiction(c));
  // a jurisdiction without problems is one
  const country = jurisdiction ?? "";
  const answer = describeCheck(check, country, version, maxAges, now, decision);
  const { kept, sent } = writeAnswer(answer, requestEvidence(c));
  c.set("keptAnswer", keepAnswer(c, { check, jurisdiction: country, version, text: kept }));
  return c.body(sent, 200, { "Content-Type": "application/json" });
}

/** Checks the header's certificate and notes it for the log. Throws 404 for problems, and for those of the header. */
export async function checkHeader(c: Context<AppEnv>, { jurisdiction, problems }: ParsedJurisdiction) {
  const now = c.get("now");
  if (problems.length > 0) throw new ApiError([...problems, ...findHeaderProblems(c, readPresented(c))]);
  if (jurisdiction !== null) c.set("jurisdiction", jurisdiction);
  const presented = await checkPresented(c, jurisdiction, now);
  if (!presented?.ok) throw new ApiError(findHeaderProblems(c, presented));
  const { check } = presented;
  const maxAges = registerMaxAges(c.env);
  const decision = decideOnCheck(check, jurisdiction, now, maxAges);
  noteCheck(c, check, decision);
  const unknown = jurisdiction === null ? null : findCountryProblem(jurisdiction, check);
  if (unknown) {
    keepBasis(c, check);
    throw new ApiError(unknown);
  }
  return { check, jurisdiction, maxAges, decision };
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
  if (!given) problems.push(explainMissingCountry(Object.keys(c.req.query())));
  // rejected because one reader might use the first value, and another one the last
  else if (more.length > 0) problems.push({ code: "jurisdiction_invalid", title: "jurisdiction is given twice" });
  else if (!jurisdiction) problems.push(refuseCountry(given));
  return { jurisdiction, problems };
}

const explainMissingCountry = (names: readonly string[]): Problem => ({
  code: "jurisdiction_missing",
  ...(names.some((name) => name !== "jurisdiction" && name.toLowerCase() === "jurisdiction") && {
    title: "jurisdiction is missing in the query: its name is written jurisdiction, capitals count",
  }),
});

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

/**
 * The PSP check result in the interface's spelling. A missing value is "" where the interface has a string. Version
 * `latest` adds codes of warnings, the decision and the evidence, which lacks what belongs to one request alone
 * (kept-answer.ts). `now` in milliseconds since 1970.
 */
export function describeCheck(
  check: PspCheck,
  jurisdiction: string,
  version: Version,
  maxAges: RegisterMaxAges,
  now: number,
  decision: Decision = decideOnCheck(check, jurisdiction, now, maxAges),
) {
  const { psp, validity, warnings, home, host } = check;
  return {
    eIDAS: {
      validity,
      data: {
        QTSPCommonName: psp.QTSPCommonName ?? "",
        authNumber: psp.authNumber ?? "",
        pspSubjectName: psp.pspSubjectName ?? "",
      },
      ...writeWarnings(warnings, version === "latest"),
    },
    ...checkRegisters({
      authNumber: psp.authNumber,
      jurisdiction,
      home,
      host,
      subjectName: psp.pspSubjectName,
      now,
      maxAges,
      codes: version === "latest",
    }),
    ...(version === "latest" && { decision, evidence: describeEvidence(check, now) }),
  } satisfies KeptPspCheck;
}
