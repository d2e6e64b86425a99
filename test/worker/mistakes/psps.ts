/** Mistakes with the PSP's certificate, its CCG token, and what it asks for. */
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { call, obtainCcgToken, obtainToken } from "../bank.ts";
import { send } from "../samples.ts";
import { eidasHeader, OTHER_FI } from "../sandbox.ts";
import type { Mistake } from "./mistake.ts";
import { issueUnnamedCertificate } from "./unnamed-certificate.ts";

const TOKENS = "POST /v1/oauth2/tokens";
const CONSENTS = "POST /v1/obie/account_access_consents";
/** The two certificates of a chain, each alone. */
const [LEAF = "", ISSUER = ""] = (env.TEST_CERTIFICATES["chain-valid"] ?? "")
  .split(/(?<=-----END CERTIFICATE-----)/)
  .map((pem) => pem.replaceAll(/-----[^-]+-----|\s/g, ""));
const withCertificate = (name: string) => () => send(TOKENS, { headers: { eidas: eidasHeader(name) } });

const NOT_OURS = /^ccg_token is not valid: it was altered or cut short, or obtained with another fi_reference_id$/;

const LEGACY = { ...env, LEGACY_1_6: "true" };
const olderCcgToken = (change: object) =>
  call("POST", "/v1/obie/ccg_token", {
    env: LEGACY,
    body: { eIDAS: eidasHeader("scenario-1"), scope: "Account information services", ...change },
  });

export const PSP_MISTAKES: readonly Mistake[] = [
  {
    what: "18: eidas in place of x-eidas at a path of version 1.6",
    send: () => call("GET", "/v1/tpp/eidas", { env: LEGACY, headers: { eidas: eidasHeader("scenario-1") } }),
    status: 404,
    errors: [
      [
        "certificate_missing",
        /^Header x-eidas is missing: eidas is its name since version 1\.7, and this path is of 1\.6$/,
      ],
    ],
  },
  {
    what: "another PSP's number in a body of version 1.6",
    send: () => olderCcgToken({ tpp_id: "PSDXX-TEST-000002" }),
    status: 400,
    errors: [["tpp_id_invalid", /^tpp_id is "PSDXX-TEST-000002", but the certificate is of PSP PSDXX-TEST-000001$/]],
  },
  {
    what: "a role's name in a body of version 1.6",
    send: () => olderCcgToken({ psd2_role: "PSP_AI" }),
    status: 400,
    errors: [["psd2_role_invalid", /^psd2_role is "PSP_AI", not 7 or 8$/]],
  },
  {
    what: "a certificate that is cut off, where a PSP authenticates",
    send: () => send(TOKENS, { headers: { eidas: eidasHeader("scenario-1").slice(0, 500) } }),
    status: 401,
    errors: [["certificate_unreadable", /^Header eidas is unreadable: truncated/]],
  },
  {
    what: "something else than a certificate at the PSP check",
    send: () => send("GET /v1/psp/eidas", { headers: { eidas: "!!!" } }),
    status: 404,
    errors: [["certificate_unreadable", /^Header eidas is unreadable: not base64/]],
  },
  {
    what: "a certificate without an authorisation number",
    send: async () => send(TOKENS, { headers: { eidas: await issueUnnamedCertificate() } }),
    status: 401,
    errors: [["certificate_authorisation_number_missing", /^The certificate contains no PSP authorisation number$/]],
  },
  {
    what: "a certificate by a QTSP that is on no list",
    send: withCertificate("unlisted-qtsp"),
    status: 401,
    errors: [
      ["qtsp_invalid", /^validQTSP: .*its issuer, "Sandbox Unlisted QTSP", is neither on a trusted list nor among/],
    ],
  },
  {
    what: "a certificate whose issuer is expired",
    send: withCertificate("chain-expired-issuer"),
    status: 401,
    errors: [["signature_invalid", /^validSignature: .*expired/]],
  },
  {
    what: "a revoked certificate",
    send: withCertificate("scenario-5"),
    status: 401,
    errors: [["certificate_revoked", /^notRevoked: .*revoked/]],
  },
  {
    what: "an expired certificate",
    send: withCertificate("scenario-4"),
    status: 401,
    errors: [["certificate_expired", /^notExpired: the certificate expired on 2022-01-01T00:00:00Z$/]],
  },
  {
    what: "only a CA's certificate",
    send: () => send(TOKENS, { headers: { eidas: ISSUER } }),
    status: 401,
    errors: [["qtsp_invalid", /^validQTSP: .*"Sandbox QTSP Intermediate".*send the PSP's own certificate/]],
  },
  {
    what: "a certificate without its intermediate",
    send: () => send(TOKENS, { headers: { eidas: LEAF } }),
    status: 401,
    errors: [
      ["qtsp_invalid", /^validQTSP: .*its issuer, "Sandbox QTSP Intermediate", is neither .* can be sent after the/],
    ],
  },
  {
    what: "client_credentials by a PSP that its register calls unauthorised",
    send: () =>
      send(TOKENS, {
        headers: { eidas: eidasHeader("scenario-2") },
        body: { client_request_query_parameters: { grant_type: "client_credentials" } },
      }),
    status: 403,
    errors: [["payment_service_invalid", /^PSP PSDXX-TEST-000002 is unauthorised in its home register$/]],
  },
  {
    what: "an altered CCG token",
    send: async () => send(CONSENTS, { headers: { ccg_token: `${await obtainCcgToken()}x` } }),
    status: 401,
    errors: [["ccg_token_invalid", NOT_OURS]],
  },
  {
    what: "25: a certificate of one character",
    send: () => send(TOKENS, { headers: { eidas: "M" } }),
    status: 401,
    errors: [
      [
        "certificate_unreadable",
        /^Header eidas is unreadable: 1 character, where a certificate in base64 has several hundred: send the whole of it$/,
      ],
    ],
  },
  ...[10, 30, 128].map(
    (characters): Mistake => ({
      what: `25: a CCG token that is cut short to ${characters} characters`,
      send: async () => send(CONSENTS, { headers: { ccg_token: (await obtainCcgToken()).slice(0, characters) } }),
      status: 401,
      errors: [
        [
          "ccg_token_invalid",
          new RegExp(
            `^ccg_token is cut short, to ${characters} characters: send the access_token of POST /v1/obie/ccg_tok`,
          ),
        ],
      ],
    }),
  ),
  {
    what: "25: an access token in place of a CCG token",
    send: async () => send(CONSENTS, { headers: { ccg_token: await obtainToken("mistake-token") } }),
    status: 401,
    errors: [
      [
        "ccg_token_invalid",
        /^ccg_token is an access token, which the PSP shows to the bank: send the access_token of POST \/v1\/obie\/ccg_tok/,
      ],
    ],
  },
  {
    what: "25: something else in place of a CCG token",
    send: () => send(CONSENTS, { headers: { ccg_token: "{s3cret}" } }),
    status: 401,
    errors: [["ccg_token_invalid", /^ccg_token does not have the form of one: send the access_token of POST /]],
  },
  {
    what: "25: a CCG token of another bank, of which is told what is told of an altered one",
    send: async () =>
      send(CONSENTS, { headers: { ccg_token: await obtainCcgToken("accounts", "scenario-1", OTHER_FI) } }),
    status: 401,
    errors: [["ccg_token_invalid", NOT_OURS]],
  },
  {
    what: "an expired CCG token",
    send: async () => {
      const ccg_token = await obtainCcgToken();
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
      return send(CONSENTS, { headers: { ccg_token } });
    },
    status: 401,
    errors: [["ccg_token_expired", /expired/]],
  },
  {
    what: "a scope that the PSP's register does not give it",
    send: async () => send(CONSENTS, { headers: { ccg_token: await obtainCcgToken("accounts", "scenario-2") } }),
    status: 403,
    errors: [["payment_service_invalid", /is unauthorised in its home register/]],
  },
];
