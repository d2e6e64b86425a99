/** Codes of warnings are stable: programs act on them. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { makeOdd } from "../../../fixtures/suites/certificates/odd-certificate.ts";
import { ODD_STATEMENTS } from "../../../fixtures/suites/certificates/odd-statements.ts";
import { ODD_SUBJECTS } from "../../../fixtures/suites/certificates/odd-subjects.ts";
import { WARNINGS } from "../../../src/eidas/every-warning.ts";
import { readPsp } from "../../../src/eidas/psd2.ts";
import { warning, withPlace, writeWarnings } from "../../../src/eidas/warnings.ts";

/** A code may be added, and none may be removed or renamed. */
const OF_VERDICTS = [
  ...["qtsp_invalid", "list_of_lists_expired", "signature_invalid", "certificate_revoked", "revocation_unknown"],
  "certificate_expired",
  ...["issuer_found", "issuer_pending", "issuer_unavailable", "trusted_list_stale", "ocsp_responder_unchecked"],
];
const OF_CERTIFICATES = [
  ...["authorisation_number_missing", "authorisation_number_invalid", "authorisation_number_unusual"],
  ...["authorisation_number_ambiguous", "organisation_missing", "country_invalid", "country_contradicts"],
  ...["precertificate", "qc_statements_missing", "qc_statements_malformed", "qc_statement_repeated"],
  ...["qc_compliance_missing", "qc_type_missing", "qc_type_invalid", "psd2_statement_missing"],
  ...["psd2_statement_malformed", "role_missing", "role_unknown", "role_without_service", "role_name_unusual"],
  ...["role_repeated", "nca_missing", "nca_id_invalid", "nca_id_contradicts"],
];
const OF_REGISTERS = [
  ...["home_country_unknown", "not_in_register", "not_in_host_register", "register_ambiguous", "sources_disagree"],
  ...["register_not_loaded", "register_stale"],
];

test("the codes are these", () => {
  expect(Object.keys(WARNINGS)).toEqual([...OF_VERDICTS, ...OF_CERTIFICATES, ...OF_REGISTERS, "warnings_omitted"]);
});

test("each is one word of its own with a meaning of its own", () => {
  const meanings = Object.values(WARNINGS).map(({ meaning }) => meaning);
  expect(new Set(meanings).size).toBe(meanings.length);
  for (const [code, { meaning }] of Object.entries(WARNINGS))
    expect([code, meaning]).toEqual([
      expect.stringMatching(/^[a-z][a-z0-9_]+$/),
      expect.stringMatching(/^[a-zQN].{10,}[^.]$/),
    ]);
});

test("each is given by some rule", () => {
  const sources = globSync("src/{eidas,registers}/*.ts").filter(
    (file) => !/\/(?:every-warning|verdicts)\.ts$/.test(file),
  );
  const text = sources.map((file) => readFileSync(file, "utf8")).join("\n");
  expect(Object.keys(WARNINGS).filter((code) => !text.includes(`"${code}"`))).toEqual([]);
});

test("certificates with unusual encodings provoke every code about a certificate", () => {
  const codes = [...ODD_SUBJECTS, ...ODD_STATEMENTS].flatMap((odd) =>
    readPsp(makeOdd(odd).certificate).warnings.map(({ code }) => code),
  );
  expect([...new Set<string>(codes)].sort()).toEqual(OF_CERTIFICATES.toSorted());
});

test("sentences and codes are answered in the same order; without codes as in version 1", () => {
  const warnings = [warning("register_stale", "old"), ...withPlace("PSD2", [warning("role_missing", "no role")])];
  expect(writeWarnings(warnings, true)).toEqual({
    warning: ["old", "PSD2: no role"],
    warning_codes: ["register_stale", "role_missing"],
  });
  expect(writeWarnings(warnings, false)).toEqual({ warning: ["old", "PSD2: no role"] });
  expect(writeWarnings([], true)).toEqual({});
});
