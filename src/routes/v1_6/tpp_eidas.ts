/**
 * GET /v1/tpp/eidas of version 1.6, the TPP check. It is the PSP check in the earlier shape: a register entry is a pair
 * of TPP and NCA. 1.6 did not ask for a jurisdiction: without one only the home register is read.
 *
 * Its `authorized` had three values. What 1.7 says beyond them (Withdrawn, or no status) is Unauthorised, with a
 * warning: unknown is not accepted. This service knows no commercial names, and of a host register no roles.
 */

import type { Context } from "hono";
import type { AppEnv } from "../../http/context.ts";
import { readPresentedAhead } from "../../http/middleware/certificate.ts";
import { keepAnswer } from "../../http/middleware/noted-check.ts";
import { describeCheck } from "../../psp-check/answer.ts";
import type { HomeRegister, HostRegister } from "../../registers/check.ts";
import { checkHeader, parseJurisdiction } from "../psp/eidas.ts";

export const TPP_CHECK = "/v1/tpp/eidas";

/** Of the query, if it has one. */
const jurisdictionOf = (c: Context<AppEnv>) =>
  c.req.query("jurisdiction") === undefined ? { jurisdiction: null, problems: [] } : parseJurisdiction(c);

/** Starts reads before the FI is authenticated; see http/middleware/certificate.ts. */
export const readAheadTpp = (c: Context<AppEnv>): void =>
  c.set("readAhead", () => {
    const { jurisdiction, problems } = jurisdictionOf(c);
    if (problems.length === 0) readPresentedAhead(c, jurisdiction);
  });

export async function answerTppCheck(c: Context<AppEnv>): Promise<Response> {
  const { now } = c.var;
  const { jurisdiction, check, decision } = await checkHeader(c, jurisdictionOf(c));
  const country = jurisdiction ?? check.psp.homeCountry ?? "";
  const answer = describeCheck(check, country, "1", check.restsOn.registerMaxAges, now, decision);
  // what is kept is the answer that this one only spells in another way
  c.set("keptAnswer", keepAnswer(c, check, answer));
  const { eIDAS, homeRegister, hostRegister } = answer;
  const { validity, data, warning } = eIDAS;
  const { QTSPCommonName: QTSP, authNumber, pspSubjectName: legalName } = data;
  const registers = [describeHome(homeRegister), ...(hostRegister ? [describeHost(hostRegister)] : [])];
  const warnings = registers.flatMap(({ warning }) => warning);
  return c.json({
    data: {
      eIDAS: { data: { validity, values: { QTSP, authNumber, legalName } }, ...(warning && { warning }) },
      registerEntries: {
        data: registers.flatMap(({ entries }) => entries),
        ...(warnings.length > 0 && { warning: warnings }),
      },
    },
  });
}

type Entry = (HomeRegister | HostRegister)["categoryEntries"][number];

const KNOWN_STATUSES: readonly unknown[] = ["Authorised", "Registered", "Unauthorised"];

function describeEntry({ ncaName }: { ncaName: string }, entry: Entry, roles: readonly number[]) {
  const { pspAuthStatus, pspLegalName: legalName } = entry;
  const authorized = KNOWN_STATUSES.includes(pspAuthStatus) ? pspAuthStatus : "Unauthorised";
  return { TPP: { authorized, legalName, commercialNames: [], roles }, NCA: { name: ncaName } };
}

function describeHome(register: HomeRegister) {
  const { categoryEntries, warning = [] } = register;
  const passports = categoryEntries.flatMap(({ categoryName, passportOut }) => {
    if (!passportOut) return [];
    const services = passportOut.paymentServices.join(", ") || "none";
    return [`${categoryName}: services passported to ${passportOut.countryCode}: ${services}`];
  });
  return {
    entries: categoryEntries.map((entry) => describeEntry(register, entry, entry.pspPaymentServices)),
    warning: [...warning, ...passports, ...categoryEntries.flatMap(warnOfStatus)],
  };
}

function describeHost(register: HostRegister) {
  const { categoryEntries, warning = [] } = register;
  return {
    entries: categoryEntries.map((entry) => describeEntry(register, entry, [])),
    warning: [...warning, ...categoryEntries.flatMap(warnOfStatus)],
  };
}

function warnOfStatus({ categoryName, pspAuthStatus }: Entry): string[] {
  if (KNOWN_STATUSES.includes(pspAuthStatus)) return [];
  return [`${categoryName}: Unauthorised stands for the status ${pspAuthStatus ?? "not documented"}`];
}
