/** The PSP check. */
import * as z from "zod";
import { VERDICTS } from "../../eidas/verdicts.ts";
import { PAYMENT_SERVICES } from "../../psp-check/psp-report.ts";
import { type FieldTexts, REASONS } from "../../reference/field-texts.ts";
import type { Resource } from "../../reference/operation.ts";
import { CATEGORIES, NUMBER_KINDS, OUTSIDE_PSD2 } from "../../registers/psp-record.ts";
import { REGISTER_SOURCES, SOURCES } from "../../registers/sources.ts";
import { pspCheck, pspCheckLatest } from "./eidas.answer.ts";

const WARNING = "What is doubtful or missing, in sentences. Absent if there is nothing to say.";
const WARNING_CODES = "A code for each sentence of `warning`, in the same order. Only with version `latest`.";

const CATEGORY_NAMES = CATEGORIES.map((name) => `\`${name}\``).join(", ");
const TITLES = REGISTER_SOURCES.map((source) => SOURCES[source].title);
const SOURCE_NAMES = REGISTER_SOURCES.map((source) => `\`${source}\``).join(", ");
const SERVICES = Object.entries(PAYMENT_SERVICES)
  .map(([number, words]) => `${number} ${words}`)
  .join("; ");

const register = (place: string, which: string) => ({
  [place]: which,
  [`${place}.ncaName`]: "The authority that keeps it; empty if it is not known.",
  [`${place}.ncaCountryCode`]: "Its country in two capitals; empty if the certificate names none.",
  [`${place}.registerType`]: "`Home` or `Host`.",
  [`${place}.categoryEntries`]: `The PSP's entries, one for each category. First those of ${TITLES.join(", then those of ")}; in each the register's order. Empty if it is not found: then \`warning\` says so.`,
  [`${place}.categoryEntries[].categoryName`]: `${CATEGORY_NAMES}; \`Agent\`, \`Branch\`, ${OUTSIDE_PSD2.map((name) => `\`${name}\``).join(", ")} or \`Not documented\` where the register has none of these.`,
  [`${place}.categoryEntries[].pspLegalName`]: "The PSP's name in the register.",
  [`${place}.categoryEntries[].pspAuthStatus`]:
    "`Authorised`, of exempt institutions and AISPs `Registered`; `Unauthorised`, `Withdrawn`. Null for agents and where the register does not document it.",
  [`${place}.warning`]: WARNING,
});

const decision = (scope: string, what: string) => ({
  [`decision.${scope}`]: what,
  [`decision.${scope}.allowed`]: "True exactly if there are no reasons.",
  [`decision.${scope}.reasons`]: REASONS,
  [`decision.${scope}.reasons[].code`]: "The reason, for programs.",
  [`decision.${scope}.reasons[].message`]: "The reason, for people.",
  [`decision.${scope}.reasons[].whose`]:
    "Who can remove it: the PSP, its QTSP, the national authority, or the operator, whose data is missing or unclear (`source`).",
  [`decision.${scope}.accepted`]:
    "What would be a reason, had the institution not chosen to accept it: of a bank abroad `passport_not_published`. A yes rests on it. Absent if there is nothing.",
  [`decision.${scope}.accepted[].code`]: "As of a reason.",
  [`decision.${scope}.accepted[].message`]: "What is not known, for people.",
  [`decision.${scope}.accepted[].whose`]: "As of a reason.",
});

/** Of version 1. */
export const VERSION_1: FieldTexts = {
  eIDAS: "What the certificate says, and what is found about it.",
  "eIDAS.validity": "Four verdicts; in the other endpoints one that is false is a 401.",
  ...Object.fromEntries(Object.entries(VERDICTS).map(([name, { meaning }]) => [`eIDAS.validity.${name}`, meaning])),
  "eIDAS.data": "The subject and the issuer of the certificate; an empty string for what it does not have.",
  "eIDAS.data.QTSPCommonName": "The issuer's common name.",
  "eIDAS.data.authNumber": "The PSP's authorisation number, as the certificate spells it.",
  "eIDAS.data.pspSubjectName": "The PSP's name.",
  "eIDAS.warning": WARNING,
  ...register("homeRegister", "The register of the country in the authorisation number."),
  "homeRegister.categoryEntries[].pspPaymentServices": `The payment services that the PSP may perform in its home country, ascending; a credit institution has all eight. ${SERVICES}.`,
  "homeRegister.categoryEntries[].passportOut": "Only if the jurisdiction is another country than home.",
  "homeRegister.categoryEntries[].passportOut.countryCode": "The jurisdiction.",
  "homeRegister.categoryEntries[].passportOut.paymentServices":
    "The payment services that the PSP may perform there, ascending, in one way or the other. Empty without a passport.",
  ...register(
    "hostRegister",
    "The register of the jurisdiction, if that is another country than home. It may be incomplete: rely on `passportOut`.",
  ),
  "hostRegister.categoryEntries[].passportIn": "Only if the register says where the PSP comes from.",
  "hostRegister.categoryEntries[].passportIn.countryCode": "The PSP's home country.",
};

/** Of what version `latest` adds. */
export const LATEST: FieldTexts = {
  "eIDAS.warning_codes": WARNING_CODES,
  "homeRegister.categoryEntries[].found_by":
    "Only if the register has the PSP under another number than the certificate: what says that both are the same PSP. Its `psp_id` stays the certificate's number.",
  "homeRegister.categoryEntries[].found_by.number": "The authorisation number, as the certificate spells it.",
  "homeRegister.categoryEntries[].found_by.kind": `What the certificate's number is: ${NUMBER_KINDS.map((kind) => `\`${kind}\``).join(", ")}.`,
  "homeRegister.categoryEntries[].found_by.source":
    "Who says so: the source that a file of numbers names, or `rule` where the one number follows from the other.",
  "homeRegister.categoryEntries[].found_by.as_of": "The day on which it was so; null of a rule.",
  "homeRegister.categoryEntries[].found_by.register_number": "The authorisation number that the register has.",
  "homeRegister.categoryEntries[].passportOut.ways": "In which ways it may perform them; either suffices.",
  "homeRegister.categoryEntries[].passportOut.ways[].way":
    "`services`: by free provision of services, as the PSP's own entry says. `establishment`: by an active branch in the jurisdiction.",
  "homeRegister.categoryEntries[].passportOut.ways[].paymentServices": "The payment services of this way, ascending.",
  "homeRegister.warning_codes": WARNING_CODES,
  "hostRegister.warning_codes": WARNING_CODES,
  decision: "What follows from all this. Only with version `latest`.",
  ...decision("payments", "May the PSP initiate payments from accounts in the jurisdiction?"),
  ...decision("accounts", "May the PSP read accounts in the jurisdiction?"),
  evidence: "What the verdicts are based on, for an audit. Only with version `latest`.",
  "evidence.id": "The header `x-evidence-id`: under it the check is found later.",
  "evidence.checked_at": "The instant for which the PSP was checked.",
  "evidence.release": "The version of this service.",
  "evidence.certificate": "The digest of the PSP's certificate: of its DER, SHA-256 in hexadecimal, as all below.",
  "evidence.anchor": "The listed service that the path leads to; null without a path.",
  "evidence.anchor.source": "Where the list comes from.",
  "evidence.anchor.jurisdiction": "The country of the trusted list.",
  "evidence.anchor.service": "The name of the service on the list.",
  "evidence.anchor.status": "Its status on the list now; null before its first one.",
  "evidence.anchor.since": "Since when it has this status.",
  "evidence.anchor.listSequenceNumber": "The number of the list's issue; null if it is not known.",
  "evidence.anchor.listIssuedAt": "When the list was issued; null if it is not known.",
  "evidence.anchor.listNextUpdate":
    "Until when a newer list is due; null if the list does not say it: a list of source `eIDAS` is then closed.",
  "evidence.path": "The certificates from the PSP's to the anchor; empty without a path.",
  "evidence.path[].subject": "The subject's name.",
  "evidence.path[].sha256": "The digest of the certificate's DER.",
  "evidence.revocation": "The answer that decided for each certificate whose status is known, in the order of `path`.",
  "evidence.revocation[].certificate": "The digest of the certificate that it is about.",
  "evidence.revocation[].source": "An OCSP answer, or a CRL.",
  "evidence.revocation[].url": "Where it was fetched; null if that is not known any more.",
  "evidence.revocation[].producedAt": "When the OCSP answer was signed; of a CRL its `thisUpdate`.",
  "evidence.revocation[].crlNumber": "The number of the CRL, in decimal; null for an OCSP answer.",
  "evidence.revocation[].thisUpdate": "As of when it is known to be right.",
  "evidence.revocation[].nextUpdate": "Until when a newer one is due; null if it does not say it.",
  "evidence.revocation[].sha256": "The digest of its DER.",
  "evidence.registers": `The registers that are loaded for the home country, then those for the host; of each ${SOURCE_NAMES}.`,
  "evidence.registers[].country": "The register's country.",
  "evidence.registers[].source": `One of ${SOURCE_NAMES}.`,
  "evidence.registers[].snapshot": "A hash of the data that was used, as in GET /status.",
  "evidence.registers[].published": "When the source published it, as far as `dated` says so.",
  "evidence.registers[].dated":
    "What `published` is: `publication`; or `fetch`, where the source does not say when it published it, as the EBA's register of credit institutions.",
  "evidence.registers[].fetchedAt": "When it was last found to be the current one.",
  "evidence.oldest": "The oldest of all that the answer is based on; null if no date is known.",
  "evidence.oldest.name": "What it is, such as `eba register of FI` or `CRL on the certificate`.",
  "evidence.oldest.at":
    "The list's issue, the answer's `thisUpdate`, or the register's date: the earlier of `published` and `fetchedAt`.",
  "evidence.oldest.age_seconds": "Its age at `checked_at`.",
};

export const PSP_CHECK: Resource = {
  operations: {
    "GET /v1/psp/eidas": {
      id: "checkPsp",
      tag: "PSP check",
      summary: "Check a PSP",
      description:
        "Checks a PSP's certificate, and looks for the PSP in the registers of its home country and of the jurisdiction. The answer has four verdicts on the certificate, and what the registers say. What is unknown is never a yes. Payment services are those of the registers, never the roles of the certificate. A role stands for payment services: `PSP_PI` for 7, `PSP_AI` for 8, `PSP_IC` (issuing of card-based payment instruments, CBPII) for 5, `PSP_AS` for 1 to 8. This endpoint has no 400: malformed parameters are 404.",
      psp: "subject",
      // the handler reads it itself
      query: z.object({ jurisdiction: z.string().regex(/^[A-Za-z]{2}$/) }),
      answers: ["PspCheck", "PspCheckLatest"],
      success: "The result of the check, good or bad.",
      parameters: {
        jurisdiction:
          "The country where the bank holds the customer's account: a code of ISO 3166-1 in upper or lower case; EL and UK stand for GR and GB. In the sandbox XX and XY, too.",
      },
    },
  },
  answers: {
    PspCheck: pspCheck,
    PspCheckLatest: pspCheckLatest,
  },
  texts: {
    PspCheck: VERSION_1,
    PspCheckLatest: LATEST,
  },
};
