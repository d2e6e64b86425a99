
import { canonicalCountry } from "../platform/country.ts";
import { quote } from "../platform/quotation.ts";
import { type AuthorisationNumber, registeredNumbers } from "./authorisation-number.ts";
import type { Psd2Statement } from "./psd2-statement.ts";
import { ROLES_WITHOUT_NCA } from "./roles.ts";
import { type Warning, warning } from "./warnings.ts";

/** Warnings about ncaId, one sentence each; none if it is absent. */
export function competentAuthorityRemarks(statement: Psd2Statement, number: AuthorisationNumber | null): Warning[] {
  const { ncaId, roles } = statement;
  if (ncaId === null) return [];
  // GEN-5.2.3-5
  if (ncaId === "NA" && roles.some((role) => ROLES_WITHOUT_NCA.has(role.oid))) return [];
  const [, code, nca] = /^([A-Z]{2})-([A-Z]{2,8})$/.exec(ncaId) ?? [];
  if (code === undefined || nca === undefined)
    return [
      warning("nca_id_invalid", `ncaId ${quote(ncaId)} ${formRemark(ncaId, number?.ok ? number.country : null)}`),
    ];
  if (!number?.ok) return [];
  const home = number.country;
  const contradiction =
    canonicalCountry(code) !== home
      ? `of another country than the authorisation number (${home})`
      : !registeredNumbers(number.pspId).some((each) => each.startsWith(`PSD${home}-${nca}-`))
        ? `another NCA than the one in ${quote(number.text)}`
        : null;
  if (contradiction === null) return [];
  return [warning("nca_id_contradicts", `ncaId ${ncaId} is ${contradiction}; the number counts`)];
}

function formRemark(ncaId: string, home: string | null): string {
  const [, code = "", nca = ""] = /^([A-Z]{2})[-_ ]*([A-Z_ -]{2,12})$/i.exec(ncaId) ?? [];
  return home !== null && canonicalCountry(code) === home
    ? `should be ${home}-${nca.replaceAll(/[-_ ]/g, "").toUpperCase()}`
    : "is not a country, a dash and 2 to 8 capitals";
}
