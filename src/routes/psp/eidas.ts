/** GET /v1/psp/eidas?jurisdiction=CC: the PSP checking service. */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { now } from "../../clock.ts";
import type { AppEnv } from "../../context.ts";
import { isUserAssigned, readJurisdiction } from "../../country.ts";
import { quote } from "../../eidas/quotation.ts";
import { ApiError, type Problem } from "../../errors.ts";
import { Memory } from "../../memory.ts";
import { beginReading, readPresented } from "../../middleware/presented-certificate.ts";
import { type Chain, checkPsp, type PspCheck } from "../../psp-check.ts";
import { checkRegisters } from "../../registers/check.ts";
import type { RegisterMaxAges } from "../../registers/manifest.ts";
import { registerMaxAges } from "../../registers/max-ages.ts";

interface Question {
  readonly chain: Chain;
  /** ISO code in capitals. */
  readonly jurisdiction: string;
}

/** Answers by the very request, so that a certificate seen before is not even parsed again. */
const ANSWERS = 2_000;
const answers = new Memory<{ body: string; psp: string }>(ANSWERS);
const answerKey = (c: Context<AppEnv>) => `${c.req.queries("jurisdiction")} ${c.req.header("eidas")}`;

/** See middleware/presented-certificate.ts. */
export const readAhead = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.header("Authorization") && !answers.get(answerKey(c), now())) {
    const question = parseQuestion(c);
    if (question.ok) beginReading(c, question.chain, question.jurisdiction);
  }
  await next();
});

export async function answerPspCheck(c: Context<AppEnv>): Promise<Response> {
  const remembered = answers.get(answerKey(c), now());
  if (remembered) return answer(c, remembered);
  const question = parseQuestion(c);
  if (!question.ok) throw new ApiError(question.problems);
  const { chain, jurisdiction } = question;
  const asked = now();
  const check = await checkPsp(c.env, c.executionCtx, chain, jurisdiction, asked, c.var.evidence ?? null);
  requireCountry(jurisdiction, check);
  const made = {
    body: JSON.stringify(describeCheck(check, jurisdiction, registerMaxAges(c.env), asked)),
    psp: check.psp.authNumber ?? "",
  };
  answers.set(answerKey(c), made, check.expiresAt);
  return answer(c, made);
}

function answer(c: Context<AppEnv>, { body, psp }: { body: string; psp: string }): Response {
  c.set("psp", psp);
  return c.body(body, 200, { "Content-Type": "application/json" });
}

/** Both parameters, or every problem with them. Here the certificate is what is asked about: a bad one is no 401. */
function parseQuestion(c: Context<AppEnv>): ({ ok: true } & Question) | { ok: false; problems: Problem[] } {
  const problems: Problem[] = [];
  const [given, ...more] = c.req.queries("jurisdiction") ?? [];
  const jurisdiction = more.length === 0 ? readJurisdiction(given ?? "") : null;
  if (!given) problems.push({ code: "jurisdiction_missing" });
  // whoever reads the first and whoever reads the last would speak of two countries
  else if (more.length > 0) problems.push({ code: "jurisdiction_invalid", title: "jurisdiction is given twice" });
  else if (!jurisdiction)
    problems.push({ code: "jurisdiction_invalid", title: `jurisdiction ${quote(given)} ${NO_COUNTRY}` });
  const chain = readPresented(c);
  if (!chain) problems.push({ code: "eidas_missing", title: "Header eidas is missing" });
  else if (!chain.ok) problems.push({ code: "eidas_invalid", title: `eidas: ${chain.message}` });
  return jurisdiction && chain?.ok ? { ok: true, chain, jurisdiction } : { ok: false, problems };
}

const NO_COUNTRY =
  "is not a country: a two-letter code of ISO 3166-1 such as FI is expected (EL and UK stand for GR and GB)";

/** A code that ISO 3166-1 leaves to its users, as the sandbox's XX, is a country only where a register of it is loaded. */
function requireCountry(jurisdiction: string, { home, host }: PspCheck): void {
  const reading = host ?? home;
  if (!isUserAssigned(jurisdiction) || reading === null || reading.manifests.length > 0) return;
  const title = `jurisdiction ${jurisdiction} is a code that ISO 3166-1 leaves to its users, and no register of it is loaded`;
  throw new ApiError({ code: "jurisdiction_invalid", title });
}

/** The PSP check result in the interface's own spelling; what is typed string there and absent here is "". */
export function describeCheck(check: PspCheck, jurisdiction: string, maxAges: RegisterMaxAges, now: number) {
  const { psp, validity, warnings, anchor, home, host } = check;
  return {
    eIDAS: {
      validity,
      data: {
        QTSPCommonName: psp.QTSPCommonName ?? "",
        authNumber: psp.authNumber ?? "",
        pspSubjectName: psp.pspSubjectName ?? "",
        ...(anchor && { QTSPSource: anchor.source, QTSPJurisdiction: anchor.jurisdiction }),
      },
      ...(warnings.length > 0 && { warning: warnings }),
    },
    ...(psp.authNumber === null || home === null
      ? NO_REGISTER
      : checkRegisters({
          authNumber: psp.authNumber,
          jurisdiction,
          home,
          host,
          subjectName: psp.pspSubjectName,
          now,
          maxAges,
        })),
  };
}

const NO_REGISTER = {
  homeRegister: {
    ncaName: "",
    ncaCountryCode: "",
    registerType: "Home",
    categoryEntries: [],
    warning: ["the certificate holds no authorisation number, so there is no register to look it up in"],
  },
};
