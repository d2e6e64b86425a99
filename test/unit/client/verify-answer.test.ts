/** `verifyAnswer` of the client proves what the service signs, and nothing else. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { VerificationError, verifyAnswer } from "../../../src/client/index.ts";
import { digestContent } from "../../../src/evidence/signatures/covered-components.ts";
import {
  BODY,
  bytes,
  type Made,
  makeExchange,
  makeSigner,
  REQUEST,
  SIGNED_AT,
} from "../evidence/signatures/signed-exchange.ts";

const NOW = Date.parse("2031-01-01T00:00:00Z");
const ACCEPT = 'bank=("@status");nonce="n-\\"1"';
const made = await makeExchange(ACCEPT);

interface Given {
  request: { method: string; url: string; headers: Record<string, string>; content?: string };
  answer: { status: number; headers: Record<string, string>; content: string };
  keys: { kty: string; crv: string; x: string; kid: string; nbf: number; exp?: number }[];
}

async function verify(change: (given: Given) => void = () => {}, options = {}, { headers, keys }: Made = made) {
  const given: Given = {
    request: { ...REQUEST, headers: { ...REQUEST.headers } },
    answer: { status: 200, headers: { ...headers }, content: BODY },
    keys: structuredClone(keys),
  };
  change(given);
  return verifyAnswer(given.request, given.answer, { keys: given.keys }, { now: NOW, ...options });
}

const refused = (change: (given: Given) => void, options = {}, of = made) =>
  expect(verify(change, options, of)).rejects.toThrow(VerificationError);

const proven = {
  kid: "20260601T000000Z",
  signedAt: SIGNED_AT,
  evidenceId: "0mwqxj5kbWmFzZTY0dXJsLWVuY29kZQ",
  nonce: 'n-"1',
};

test("what the service signed is proven, as bytes or text, with names of headers in any case", async () => {
  expect(await verify()).toEqual(proven);
  expect(await verify(() => {}, { nonce: proven.nonce })).toEqual(proven);
  const content = bytes(BODY);
  const request = new Request(REQUEST.url, { headers: REQUEST.headers });
  expect(await verifyAnswer(request, { status: 200, headers: made.headers, content }, made)).toEqual(proven);
  const upper = ({ answer }: Given) => {
    answer.headers = Object.fromEntries(
      Object.entries(answer.headers).map(([name, each]) => [name.toUpperCase(), each]),
    );
  };
  expect(await verify(upper)).toEqual(proven);
});

test("beside the signature of a proxy", async () => {
  const proxied = ({ answer: { headers } }: Given) => {
    headers["Signature-Input"] = `p.x=("@status");created=1;keyid="p";alg="hmac-sha256", ${headers["Signature-Input"]}`;
    headers["Signature"] = `p.x=:AAAA:, ${headers["Signature"]}`;
  };
  expect(await verify(proxied)).toEqual(proven);
});

test("with what the bank asks to be covered beside it: the host", async () => {
  const more = await makeExchange('bank=("@authority";req "@target-uri";req "@scheme";req)');
  expect(more.headers["Signature-Input"]).toContain('"@authority";req "@target-uri";req "@scheme";req');
  expect(await verify(() => {}, {}, more)).toMatchObject({ nonce: null });
  await refused(({ request }) => Object.assign(request, { url: REQUEST.url.replace("gate", "evil") }), {}, more);
});

test("refused: a request's content that was not signed, or is another one", async () => {
  const sent = '{"token":"t"}';
  await refused(({ request }) => Object.assign(request, { content: sent }));
  await refused(({ request }) => {
    request.headers["content-digest"] = digestContent(bytes(sent));
    request.content = sent;
  });
});

test.each<[string, (given: Given) => void]>([
  ["no signature", ({ answer: { headers } }) => delete headers["Signature"]],
  ["no Signature-Input", ({ answer: { headers } }) => delete headers["Signature-Input"]],
  ["no digest", ({ answer: { headers } }) => delete headers["Content-Digest"]],
  ["another status", ({ answer }) => Object.assign(answer, { status: 201 })],
  ["another content", ({ answer }) => Object.assign(answer, { content: BODY.replace("true", "null") })],
  [
    "another content with its digest",
    ({ answer }) => {
      answer.content = "{}";
      answer.headers["Content-Digest"] = digestContent(bytes("{}"));
    },
  ],
  ["another evidence id", ({ answer: { headers } }) => Object.assign(headers, { "x-evidence-id": "0mwqx" })],
  ["no evidence id", ({ answer: { headers } }) => delete headers["x-evidence-id"]],
  ["another method", ({ request }) => Object.assign(request, { method: "POST" })],
  ["another country", ({ request }) => Object.assign(request, { url: REQUEST.url.replace("=FI", "=SE") })],
  ["another path", ({ request }) => Object.assign(request, { url: REQUEST.url.replace("eidas", "other") })],
  ["another certificate", ({ request: { headers } }) => Object.assign(headers, { eidas: "MIIEother" })],
  ["another bank", ({ request: { headers } }) => Object.assign(headers, { fi_reference_id: "PSDFI-FINFSA-0002" })],
  ["no certificate", ({ request: { headers } }) => delete headers["eidas"]],
  ["a deciding header that was not signed", ({ request: { headers } }) => Object.assign(headers, { ccg_token: "c" })],
  [
    "a name of version 1.6 that was not signed",
    ({ request: { headers } }) => Object.assign(headers, { "x-eidas": "c" }),
  ],
  ["no such key", ({ keys }) => keys.pop()],
  ["another key of its name", ({ keys }) => Object.assign(keys[0] ?? {}, { x: makeSigner().named.x })],
  ["two keys of one name", ({ keys }) => keys.push(...keys)],
  ["a key of another kind", ({ keys }) => Object.assign(keys[0] ?? {}, { crv: "X25519" })],
  ["a key that began later", ({ keys }) => Object.assign(keys[0] ?? {}, { nbf: SIGNED_AT / 1000 + 301 })],
  ["a key that had ended", ({ keys }) => Object.assign(keys[0] ?? {}, { exp: SIGNED_AT / 1000 - 1 })],
  ["a key that does not say since when", ({ keys }) => Object.assign(keys[0] ?? {}, { nbf: undefined })],
])("refused: %s", (_, change) => refused(change));

test.each([
  ["less covered", (input: string) => input.replace(' "eidas";req', "")],
  ["a component twice", (input: string) => input.replace('"@status"', '"@status" "@status"')],
  ["a component that is not known here", (input: string) => input.replace('"@status"', '"@status" "date";sf')],
  ["another tag", (input: string) => input.replace("psp-gate", "bank")],
  ["no tag", (input: string) => input.replace(';tag="psp-gate"', "")],
  ["another algorithm", (input: string) => `${input};alg="none"`],
  ["no date", (input: string) => input.replace(/;created=\d+/, "")],
  ["twice", (input: string) => `${input}, again${input.slice(4)}`],
  ["unreadable", (input: string) => input.replace("(", "")],
])("refused: Signature-Input with %s", (_, change) =>
  refused(({ answer: { headers } }) => {
    const input = headers["Signature-Input"] ?? "";
    expect(change(input)).not.toBe(input);
    headers["Signature-Input"] = change(input);
  }),
);

test("refused: another nonce, none, and a time that is still to come", async () => {
  await refused(() => {}, { nonce: "n-2" });
  await refused(() => {}, { nonce: "n-1" }, await makeExchange("bank=()"));
  await refused(() => {}, { now: SIGNED_AT - 300_001 });
});

test("each byte of the content, of the signature and of what it covers counts", async () => {
  const places = ["content", "Signature", "Signature-Input", "Content-Digest", "content-type", "url", "eidas"] as const;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...places),
      fc.nat(),
      fc.integer({ min: 0x21, max: 0x7e }),
      async (place, at, by) => {
        const put = (text: string) => {
          const i = at % text.length;
          return text.slice(0, i) + String.fromCharCode(by) + text.slice(i + 1);
        };
        let changed = false;
        const change = ({ request, answer }: Given) => {
          const [holder, name]: [Record<string, unknown>, string] =
            place === "content"
              ? [answer, place]
              : place === "url"
                ? [request, place]
                : place === "eidas"
                  ? [request.headers, place]
                  : [answer.headers, place];
          const before = String(holder[name]);
          // the host is not signed, and a fragment is not sent
          const after = place === "url" ? REQUEST.url.slice(0, 26) + put(before.slice(26)) : put(before);
          const sent = (text: string) => (place === "url" ? new URL(text).href.replace(/#.*/, "") : text);
          changed = sent(after) !== sent(before);
          holder[name] = after;
        };
        const verdict = await verify(change).then(
          () => "proven",
          (error: unknown) => (error instanceof VerificationError ? "refused" : String(error)),
        );
        expect(verdict).toBe(changed ? "refused" : "proven");
      },
    ),
    { numRuns: 700 },
  );
});
