/** What any caller sends: headers, bodies, tokens, and texts within them. */
import { isDeepStrictEqual } from "node:util";
import {
  normaliseAuthorisationNumber,
  parseAuthorisationNumber,
  registeredNumbers,
} from "../../../src/eidas/authorisation-number.ts";
import { signAnswer } from "../../../src/evidence/signatures/answer-signature.ts";
import { parseSavedExchange } from "../../../src/evidence/signatures/saved-exchange.ts";
import { publishKeys } from "../../../src/evidence/signatures/signing-keys.ts";
import { verifyExchange } from "../../../src/evidence/signatures/verify-exchange.ts";
import { parseDateTime } from "../../../src/grants/date-times.ts";
import { ANY_NATIVE, composeFullUri, findRedirectUriFault } from "../../../src/grants/redirect-uri.ts";
import { findCcgTokenFault, openCcgToken, readAccessToken } from "../../../src/grants/token-texts.ts";
import { verifyAssertion } from "../../../src/http/access.ts";
import { parseFormText, parseJsonText } from "../../../src/http/json/body-text.ts";
import { parseBasic } from "../../../src/http/middleware/basic-credentials.ts";
import { parseTransactionReference } from "../../../src/http/middleware/request-headers.ts";
import { type Corpus, FI_ID, TOKEN_KEYS } from "../corpus.ts";
import { fromLatin1, must, readOrRefuse, type Target, toBytes, toLatin1, toText } from "../target.ts";

const NOW = Date.parse("2026-06-10T12:00:00Z");
/** Of RFC 8037 appendix A.1. */
const SIGNER = {
  kid: "20260601T000000Z",
  d: "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
  x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
};
const JSONS = [
  '{"grant_type":"authorization_code","code":"abc","redirect_uri":"https://psp.example/cb"}',
  '{"Data":{"Permissions":["ReadBalances"],"ExpirationDateTime":"2030-01-01T00:00:00Z"},"Risk":{}}',
  '[1,-0,1.5e+3,1e999,true,false,null,"\\u00e4\\ud83d\\ude00\\n",{"__proto__":{"a":[{}]}}]',
];

export function requestTargets({ tokens, access }: Corpus): Target[] {
  return [
    {
      ...{ name: "json-body", form: "text", stepsPerByte: 60, share: 8, corpus: JSONS.map(toBytes) },
      words: ['"__proto__":1', "\\ud800", "\\u0000", "[[[[", '{"a":', "1e5", "-0", "\ufeff", "\xff"],
      check: checkJson,
    },
    {
      ...{
        name: "form-body",
        form: "text",
        stepsPerByte: 60,
        share: 8,
        words: ["%00", "%C3%A4", "%ff", "+", "&&", "=", "token="],
      },
      corpus: ["token=abc&token_type_hint=access_token", "a=1&b=%C3%A4+x&c=&d", "a=b=c"].map(toBytes),
      check: checkForm,
    },
    {
      ...{
        name: "authorization",
        form: "text",
        stepsPerByte: 60,
        share: 8,
        words: ["Basic ", "basic  ", "Bearer ", "Og==", "6", "="],
      },
      corpus: ["Basic c2FuZGJveC1maTpzYW5kYm94LXNlY3JldA==", "basic YTo=", "Basic w6Q6w6Q="].map(fromLatin1),
      check: (input) => checkBasic(toLatin1(input)),
    },
    {
      ...{ name: "accept-signature", form: "text", stepsPerByte: 400 },
      corpus: [
        'bank=("@status" "@method";req);nonce="n";tag="psp-gate";alg="ed25519"',
        'a=("content-digest";req "@query-param";name="a";req "x";bs;sf;key="k";tr), b=1',
        "sig=()",
      ].map(fromLatin1),
      words: [
        '"@authority";req',
        '"@query-param";name="jurisdiction";req',
        '"fi_reference_id";req',
        ";bs",
        ";sf",
        ';key="a"',
        ";tr",
        '"@target-uri";req',
        '"@signature-params"',
        '"signature"',
        '"date"',
        ";req=?0",
        "@1",
        "?1",
        ":aGk=:",
        "a=(",
      ],
      check: (input) => checkSignature(toLatin1(input)),
    },
    {
      ...{
        name: "tokens",
        form: "text",
        stepsPerByte: 60,
        share: 4,
        corpus: tokens.map(fromLatin1),
        words: [TOKEN_KEYS.newest.kid, "."],
      },
      check: (input) => {
        const text = toLatin1(input);
        must(
          readAccessToken(TOKEN_KEYS, FI_ID, text) === null || tokens.includes(text),
          "a token that nobody made is read",
        );
        // base64url has some spellings of the same bytes
        const grant = openCcgToken(TOKEN_KEYS, text);
        must(grant === null || grant.pspId === "PSDXX-TEST-000001", "a CCG token that nobody made is opened");
        findCcgTokenFault(text);
      },
    },
    {
      ...{ name: "access-assertion", form: "text", stepsPerByte: 200 },
      corpus: [access.assertion, "e30.e30.e30"].map(fromLatin1),
      words: ["eyJhbGciOiJub25lIn0", "bnVsbA", "W10", "."],
      check: async (input) => {
        const text = toLatin1(input);
        const expected = { keysOf: async () => [access.key], issuer: "https://team.example", audience: "aud" };
        const verdict = await verifyAssertion(text, expected, NOW);
        const [signed] = [access.assertion, text].map((one) => one.split(".").slice(0, 2).join("."));
        must(!verdict.ok || text.startsWith(`${signed}.`), "an assertion that nobody signed is believed");
      },
    },
    {
      ...{ name: "texts", form: "text", stepsPerByte: 100, share: 8, maxBytes: 4_000 },
      corpus: [
        "2026-11-21T03:07:23.5+02:00",
        "20261121T0307Z",
        "https://psp.example:8443/cb?a=%20b",
        "com.example.app:/cb",
        "http://127.0.0.1/cb",
        "https://[::1]/",
        "PSDFI-FINFSA-1234567-8",
        "PSDES-BDE-3DFD21",
        "ref-1",
      ].map(toBytes),
      words: ["https://", "@", "[::1]", "%", "xn--", "localhost", "24:00", "-00:00", "PSD", "VATDE-"],
      check: (input) => checkText(toText(input)),
    },
  ];
}

function checkJson(input: Uint8Array): void {
  const ours = parseJsonText(input);
  const text = readOrRefuse(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(input), TypeError);
  const theirs = text === null ? null : readOrRefuse(() => ({ value: JSON.parse(text) }), SyntaxError);
  if (!ours.ok) {
    must(ours.message !== "" && ours.message.isWellFormed(), "a refusal without a sentence");
    must(theirs === null || ours.reason === "duplicate-member", "JSON.parse reads what is refused");
    return;
  }
  must(theirs !== null, "JSON.parse refuses what is accepted");
  must(isDeepStrictEqual(ours.value, theirs.value), "JSON.parse reads another value");
}

function checkForm(input: Uint8Array): void {
  const form = parseFormText(input);
  if (!form.ok) {
    must(form.message !== "", "a refusal without a sentence");
    return;
  }
  const theirs = new URLSearchParams(toText(input));
  must(isDeepStrictEqual({ ...form.value }, Object.fromEntries(theirs)), "URLSearchParams reads other parameters");
}

function checkBasic(text: string): void {
  const read = parseBasic(text);
  if (!read.ok) {
    must(read.fault !== "", "a refusal without a sentence");
    return;
  }
  const { clientId, secret } = read;
  must(clientId !== "" && !clientId.includes(":"), "a client id that is none");
  const again = parseBasic(`Basic ${Buffer.from(`${clientId}:${secret}`).toString("base64")}`);
  must(again.ok && again.clientId === clientId && again.secret === secret, "written again, it reads otherwise");
}

/** Whatever is asked for, the answer is signed, and another library verifies it. */
async function checkSignature(asked: string): Promise<void> {
  const url = "https://gate.bank.example/v1/psp/eidas?jurisdiction=FI";
  const sent = { fi_reference_id: "PSDFI-FINFSA-0001", version: "latest" };
  const request = readOrRefuse(() => new Request(url, { headers: { ...sent, "Accept-Signature": asked } }), TypeError);
  if (!request) return;
  const given = { "content-type": "application/json", "x-evidence-id": "0mwqxj5kbWmFzZTY0" };
  const content = toBytes('{"a":1}');
  const signed = signAnswer({ request, status: 200, headers: new Headers(given), content }, SIGNER, NOW);
  const lines = (fields: object) =>
    Object.entries(fields)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join("");
  const path = url.slice("https://gate.bank.example".length);
  // as it arrives: blanks at its ends are the header's
  const accept = request.headers.get("accept-signature") ?? "";
  const head = `GET ${path} HTTP/1.1\r\nHost: gate.bank.example\r\n${lines({ ...sent, "Accept-Signature": accept })}\r\n`;
  const saved = parseSavedExchange(
    fromLatin1(`${head}HTTP/1.1 200 OK\r\n${lines({ ...given, ...signed })}\r\n{"a":1}`),
  );
  must(saved.ok, "the signed answer cannot be read");
  const keys = publishKeys([{ kid: SIGNER.kid, x: SIGNER.x, madeAt: Date.parse("2026-06-01T00:00:00Z") / 1000 }]);
  const verdict = await verifyExchange(saved, keys, NOW);
  must(verdict.ok, `the signed answer does not verify: ${verdict.ok ? "" : verdict.reason}`);
}

function checkText(text: string): void {
  const time = parseDateTime(text);
  if (time) {
    const again = parseDateTime(time.utc);
    must(again?.milliseconds === time.milliseconds && again.utc === time.utc, "a date-time in UTC reads otherwise");
    must(Math.abs(Date.parse(time.utc) - time.milliseconds) < 1, "Date reads another instant");
  }
  if (findRedirectUriFault(text, ANY_NATIVE) === null) {
    const [before, full] = [new URL(text), new URL(composeFullUri(text, { code: "c", state: "s&=" }))];
    must(
      full.host === before.host && full.searchParams.get("code") === "c" && full.searchParams.get("state") === "s&=",
      "a redirect loses its host or its code",
    );
  }
  const number = parseAuthorisationNumber(text);
  const normal = normaliseAuthorisationNumber(text);
  must(normaliseAuthorisationNumber(normal) === normal, "a normal form has another normal form");
  if (number.ok) must(registeredNumbers(number.pspId).length > 0, "a number that stands for none");
  const reference = parseTransactionReference(text);
  must(!reference?.ok || reference.text === text, "a reference is changed");
}
