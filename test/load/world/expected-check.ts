/**
 * The whole answer of GET /v1/psp/eidas to each certificate of the plan, in both versions: from the plan and the
 * interface's rules, in words of its own, so that no code of the service judges itself.
 */
import { VERSION } from "../../../src/platform/version.ts";
import { instantFrom, wholeNumberFrom } from "../answer-difference.ts";
import type { Exchange } from "../exchange.ts";
import { expectedDecision } from "./expected-decision.ts";
import { CATEGORIES, HOME, HOST, NCA_NAMES, type PlannedCertificate, planCertificate } from "./plan.ts";
import type { World } from "./world.ts";

interface Warning {
  readonly code: string;
  readonly sentence: string;
}

/** `jurisdiction`: the home or the host country. `exchange`: of an answer in version `latest`. */
export function expectedCheck(world: World, index: number, jurisdiction: string, exchange: Exchange | null): object {
  const latest = exchange !== null;
  const plan = planCertificate(index);
  const warnings = expectedWarnings(world, plan);
  const write = (given: readonly Warning[]) => ({
    ...(given.length > 0 && { warning: given.map(({ sentence }) => sentence) }),
    ...(given.length > 0 && latest && { warning_codes: given.map(({ code }) => code) }),
  });
  const abroad = jurisdiction === HOST;
  return {
    eIDAS: {
      validity: {
        validQTSP: plan.fault !== "unlisted",
        validSignature: plan.fault !== "unlisted" && plan.fault !== "expired",
        notRevoked: plan.fault === null,
        notExpired: plan.fault !== "expired",
      },
      data: {
        QTSPCommonName: plan.fault === "unlisted" ? world.unlistedName : world.issuer.commonName,
        authNumber: plan.pspId,
        pspSubjectName: plan.legalName,
      },
      ...write(warnings),
    },
    homeRegister: {
      ncaName: NCA_NAMES[HOME],
      ncaCountryCode: HOME,
      registerType: "Home",
      categoryEntries: CATEGORIES[plan.standing].map(({ category, status, services, passported }) => ({
        categoryName: category,
        pspLegalName: plan.legalName,
        pspAuthStatus: status,
        pspPaymentServices: services,
        ...(abroad && { passportOut: { countryCode: HOST, paymentServices: passported } }),
      })),
      ...write(
        plan.standing === "absent"
          ? [{ code: "not_in_register", sentence: `could not find a register entry for PSP ${plan.pspId}` }]
          : [],
      ),
    },
    ...(abroad && { hostRegister: { ...expectedHost(plan), ...write(expectedHostWarnings(plan)) } }),
    ...(latest && {
      decision: expectedDecision(plan, warnings, abroad),
      evidence: expectedEvidence(world, plan, abroad, exchange),
    }),
  };
}

const expectedHost = ({ legalName, inHostRegister }: PlannedCertificate) => ({
  ncaName: NCA_NAMES[HOST],
  ncaCountryCode: HOST,
  registerType: "Host",
  categoryEntries: inHostRegister
    ? [
        {
          categoryName: "Payment Institution",
          pspLegalName: legalName,
          pspAuthStatus: "Authorised",
          passportIn: { countryCode: HOME },
        },
      ]
    : [],
});

const expectedHostWarnings = ({ legalName, inHostRegister }: PlannedCertificate): Warning[] => {
  const sentence = `PSP ${legalName} could not be found in the ${NCA_NAMES[HOST]} register`;
  return inHostRegister ? [] : [{ code: "not_in_host_register", sentence }];
};

function expectedWarnings(
  { revokedAt, expiredAt, unlistedName }: World,
  { fault, commonName }: PlannedCertificate,
): Warning[] {
  switch (fault) {
    case null:
      return [];
    case "expired":
      return [
        {
          code: "signature_invalid",
          sentence: `validSignature: a path with an expired certificate counts as broken: the certificate cannot be relied on: it expired on ${expiredAt}`,
        },
        {
          code: "certificate_revoked",
          sentence: "notRevoked: a path with an expired certificate counts as revoked",
        },
        { code: "certificate_expired", sentence: `notExpired: the certificate expired on ${expiredAt}` },
      ];
    case "revoked":
      return [
        {
          code: "certificate_revoked",
          sentence: `notRevoked: the certificate of ${commonName} has been revoked since ${revokedAt} (keyCompromise), says its issuer's CRL`,
        },
      ];
    case "unlisted": {
      const none = `no trusted issuer of the certificate is known: its issuer, "${unlistedName}", is neither on a trusted list nor among the certificates sent; an intermediate CA's certificate can be sent after the PSP's`;
      return [
        { code: "qtsp_invalid", sentence: `validQTSP: ${none}` },
        { code: "signature_invalid", sentence: `validSignature: the signature cannot be verified: ${none}` },
        {
          code: "revocation_unknown",
          sentence: "notRevoked: revocation cannot be checked without a valid certificate path",
        },
      ];
    }
  }
}

function expectedEvidence(
  world: World,
  { index, fault, commonName, pspId, legalName }: PlannedCertificate,
  abroad: boolean,
  { headers, sentAt, receivedAt }: Exchange,
) {
  const { issuer, crl, trust, registers } = world;
  const leaf = world.certificates[index]?.sha256;
  const subject = `CN=${commonName},organizationIdentifier=${pspId},O=${legalName},C=${HOME}`;
  const proof = {
    source: "CRL",
    url: crl.url,
    ...{ producedAt: crl.thisUpdate, thisUpdate: crl.thisUpdate, crlNumber: "1" },
    nextUpdate: crl.nextUpdate,
    sha256: crl.sha256,
  };
  const loaded = registers.filter(({ country }) => abroad || country === HOME);
  // the list is the oldest; without it the register that was imported first
  const first = loaded.toSorted((a, b) => Date.parse(a.fetchedAt) - Date.parse(b.fetchedAt))[0];
  const oldest =
    fault === "unlisted"
      ? { name: `${first?.source} register of ${first?.country}`, at: first?.fetchedAt ?? "" }
      : { name: `${trust.source} trusted list of ${trust.jurisdiction}`, at: trust.listIssuedAt };
  const secondsBefore = (instant: number) => Math.floor((instant - Date.parse(oldest.at)) / 1000);
  return {
    ...{ id: headers["x-evidence-id"], checked_at: instantFrom(sentAt, receivedAt), release: VERSION },
    certificate: leaf,
    anchor: fault === "unlisted" ? null : trust,
    path:
      fault === "unlisted"
        ? []
        : [
            { subject, sha256: leaf },
            { subject: issuer.subject, sha256: issuer.sha256 },
          ],
    // nothing is asked about a path that is broken
    revocation: fault === "unlisted" || fault === "expired" ? [] : [{ certificate: leaf, ...proof }],
    registers: loaded,
    oldest: { ...oldest, age_seconds: wholeNumberFrom(secondsBefore(sentAt), secondsBefore(receivedAt)) },
  };
}
