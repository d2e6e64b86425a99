/** Requests that are wrong in themselves, and the one error that each has to meet. */
import type { Bank } from "../bank.ts";
import type { Call } from "../connection.ts";
import { drawOne } from "../mix.ts";
import { HOME } from "../world/plan.ts";
import { drawEntitled, eidasOf } from "./psps.ts";
import { expectedErrors } from "./redirect.ts";

interface HostileRequest {
  readonly call: (bank: Bank) => Call;
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const CHECK = `/v1/psp/eidas?jurisdiction=${HOME}`;
const CODES = "/v1/oauth2/authorization_codes";
const JSON_TYPE = { "content-type": "application/json" };
const headersOf = (bank: Bank) => ({ ...bank.identity, version: bank.drawVersion() });
const eidas = (bank: Bank) => eidasOf(bank, drawEntitled(bank, "accounts"));
const without = (headers: Record<string, string>, name: string) =>
  Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name));

/** A PSP check, with other headers or another path. */
const check =
  (change: (headers: Record<string, string>, bank: Bank) => Record<string, string>, path = CHECK) =>
  (bank: Bank): Call => ({ method: "GET", path, headers: change({ ...headersOf(bank), eidas: eidas(bank) }, bank) });

/** A request for a code, with another body. */
const codeRequest =
  (body: (bank: Bank) => string) =>
  (bank: Bank): Call => ({
    method: "POST",
    path: CODES,
    headers: { ...headersOf(bank), ...JSON_TYPE, eidas: eidas(bank) },
    body: body(bank),
  });

/** Base64url of `bytes` random bytes of the run. */
const garbage = (bank: Bank, bytes: number): string =>
  Buffer.from(Array.from({ length: bytes }, () => Math.floor(bank.random() * 256))).toString("base64url");

const basic = (text: string) => `Basic ${btoa(text)}`;

export const HOSTILE_REQUESTS: readonly HostileRequest[] = [
  {
    call: check((headers) => without(headers, "Authorization")),
    status: 401,
    code: "credentials_missing",
    title: "Header Authorization is missing: send Basic and the base64 of client_id:secret",
    headers: { "www-authenticate": 'Basic realm="financial institution", charset="UTF-8"' },
  },
  {
    call: check((headers, bank) => ({ ...headers, Authorization: basic(`sandbox-fi:${garbage(bank, 32)}`) })),
    status: 401,
    code: "credentials_invalid",
    title: "The client id or the secret is wrong, or the institution is disabled",
    headers: { "www-authenticate": 'Basic realm="financial institution", charset="UTF-8"' },
  },
  {
    call: check((headers, bank) => ({ ...headers, fi_reference_id: bank.otherIdentity["fi_reference_id"] ?? "" })),
    status: 401,
    code: "fi_reference_id_invalid",
    title: "These credentials are not valid for this fi_reference_id",
  },
  {
    call: check((headers) => without(headers, "version")),
    status: 404,
    code: "version_missing",
    title: "Header version is missing: it must be latest or 1",
  },
  {
    call: check((headers, bank) => ({ ...headers, eidas: `////${garbage(bank, 700)}` })),
    status: 404,
    code: "certificate_unreadable",
    title: "Header eidas is unreadable: neither a certificate nor any other DER",
  },
  {
    call: check((headers) => headers, "/v1/psp/eidas?jurisdiction=QQQ"),
    status: 404,
    code: "jurisdiction_invalid",
    title: `jurisdiction QQQ is not a country: a two-letter code of ISO 3166-1 such as FI is expected (EL and UK stand for GR and GB)`,
  },
  {
    call: check((headers) => headers, `${CHECK}&jurisdiction=XB`),
    status: 404,
    code: "jurisdiction_invalid",
    title: "jurisdiction is given twice",
  },
  {
    call: check((headers) => headers, "/v1/psp/eidass"),
    status: 404,
    code: "path_not_found",
    title: "No such path",
  },
  {
    call: (bank) => ({ method: "PUT", path: CODES, headers: headersOf(bank) }),
    status: 405,
    code: "method_not_allowed",
    title: "This path supports only POST",
    headers: { allow: "POST" },
  },
  {
    call: codeRequest(() => '{"account_id": "a", '),
    status: 400,
    code: "body_malformed",
    title:
      "The body is not JSON: at character 21 (line 1, column 21) should be the name of a member, in double quotes; it ends there",
  },
  {
    call: codeRequest((bank) => JSON.stringify({ account_id: garbage(bank, 100), filler: "x".repeat(70_000) })),
    status: 400,
    code: "body_too_large",
    title: "The body is larger than 64 KiB. Send at most 64 KiB",
  },
  {
    call: (bank) => ({
      method: "GET",
      path: `/v1/oauth2/tokens/load.${garbage(bank, 24)}.${garbage(bank, 32)}`,
      headers: headersOf(bank),
    }),
    status: 404,
    code: "token_not_found",
    title: "No such token",
  },
  {
    call: (bank) => ({
      method: "POST",
      path: "/v1/obie/tokens",
      headers: { ...headersOf(bank), ...JSON_TYPE, ccg_token: `load.${garbage(bank, 180)}` },
      body: JSON.stringify({ auth_code: garbage(bank, 60), redirect_uri: "https://psp.load.invalid/callback" }),
    }),
    status: 401,
    code: "ccg_token_invalid",
    title: "ccg_token is not valid: it was altered or cut short, or obtained with another fi_reference_id",
  },
];

export async function sendHostileRequest(bank: Bank): Promise<void> {
  const { call, status, code, title, headers } = drawOne(bank.random, HOSTILE_REQUESTS);
  await bank.ask(call(bank), ({ requestId }) => ({
    status,
    headers: { "cache-control": "no-store", ...headers },
    body: { errors: expectedErrors(bank, requestId, code, title) },
  }));
}
