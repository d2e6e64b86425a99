/** Signs requests as PSPs do, by Node's OpenSSL, and makes certificates for the keys. */
import { ALL_TRUE } from "../../../all-true.ts";
import "reflect-metadata";
import { constants, createHash, createPublicKey, KeyObject, sign } from "node:crypto";
import * as x509 from "@peculiar/x509";
import { httpbis } from "http-message-signatures";
import { type Description, readDescription } from "../../../../src/psp-check/signed-request/described-request.ts";
import { judgeSignature } from "../../../../src/psp-check/signed-request/judge-signature.ts";
import { readSignature } from "../../../../src/psp-check/signed-request/read-signature.ts";
import { type Certificate, parseCertificate } from "../../../../src/x509/certificate.ts";

export const NOW = Date.parse("2026-11-24T12:00:00Z");
export const DATE = new Date(NOW).toUTCString();

const RSA = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", publicExponent: new Uint8Array([1, 0, 1]) };
export const KINDS = {
  rsa: { ...RSA, modulusLength: 2048 },
  short: { ...RSA, modulusLength: 1024 },
  p256: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
  p384: { name: "ECDSA", namedCurve: "P-384", hash: "SHA-384" },
  p521: { name: "ECDSA", namedCurve: "P-521", hash: "SHA-512" },
  ed25519: { name: "Ed25519" },
} as const;

export interface Signer {
  readonly key: KeyObject;
  readonly certificate: Certificate;
  readonly base64: string;
}

export async function makeSigner(kind: keyof typeof KINDS, name = "C=XX, O=Some PSP"): Promise<Signer> {
  const keys = (await crypto.subtle.generateKey(KINDS[kind], true, ["sign", "verify"])) as CryptoKeyPair;
  const made = await x509.X509CertificateGenerator.createSelfSigned({
    ...{ serialNumber: "00b2c3", name, keys, signingAlgorithm: KINDS[kind] },
    extensions: [new x509.BasicConstraintsExtension(false)],
    ...{ notBefore: new Date("2025-01-01T00:00:00Z"), notAfter: new Date("2055-01-01T00:00:00Z") },
  });
  const der = new Uint8Array(made.rawData);
  const key = KeyObject.from(keys.privateKey as never);
  return { key, certificate: parseCertificate(der), base64: Buffer.from(der).toString("base64") };
}

/** A certificate for a published public key. */
export async function certificateOf(pem: string): Promise<Certificate> {
  const spki = new Uint8Array(createPublicKey(pem).export({ type: "spki", format: "der" }));
  const issuer = (await crypto.subtle.generateKey(KINDS.p256, true, ["sign", "verify"])) as CryptoKeyPair;
  const made = await x509.X509CertificateGenerator.create({
    ...{ serialNumber: "01", subject: "O=Published", issuer: "O=Tests", publicKey: new x509.PublicKey(spki) },
    ...{ notBefore: new Date("2000-01-01"), notAfter: new Date("2055-01-01") },
    ...{ signingKey: issuer.privateKey, signingAlgorithm: KINDS.p256 },
    extensions: [new x509.BasicConstraintsExtension(false)],
  });
  return parseCertificate(new Uint8Array(made.rawData));
}

const PSP = { pspId: "PSDXX-TEST-1" };
/** A check that has nothing against the certificate, unless `more` says it. */
export const checked = (more: object = {}) =>
  ({ validity: ALL_TRUE, warnings: [], psp: PSP, uses: ["seal"], ...more }) as unknown as Parameters<
    typeof judgeSignature
  >[2];

/** Reading and judgement, without the choice of the certificate. */
export async function judge(description: Description, certificate: Certificate, now = NOW) {
  const reading = await readSignature(readDescription(description), now);
  const problems = [...reading.problems, ...(await judgeSignature(reading, certificate, checked(), null))];
  return { ...reading, problems, codes: problems.map(({ code }) => code) };
}

export const digestOf = (body: string, algorithm = "sha256") => createHash(algorithm).update(body).digest("base64");

export const BODY = '{"instructedAmount":{"currency":"EUR","amount":"1.00"}}';
export const REQUEST_ID = "99391c7e-ad88-49ec-a2ad-99ddcb1f7721";

interface Cavage {
  readonly method?: string;
  readonly target?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly names?: readonly string[];
  readonly algorithm?: string;
  readonly keyId?: string;
}

const usual = (body: string) => ({
  ...{ date: DATE, digest: `SHA-256=${digestOf(body)}`, "x-request-id": REQUEST_ID, "psu-id": "a customer" },
});

/** With the header Signature of draft-cavage, and the certificate in TPP-Signature-Certificate. */
export function signCavage(
  { key, base64 }: Signer,
  wish: Cavage = {},
): Description & { headers: Record<string, string> } {
  const { method = "POST", target = "/v1/payments?x=1", body = BODY, algorithm = "rsa-sha256" } = wish;
  const headers: Record<string, string> = { ...usual(body), ...wish.headers };
  const { names = ["digest", "x-request-id", "psu-id", "date"], keyId = "SN=B2C3,CA=O=Some QTSP" } = wish;
  const lines = names.map((name) =>
    name === "(request-target)" ? `${name}: ${method.toLowerCase()} ${target}` : `${name}: ${headers[name]}`,
  );
  const hash = algorithm === "ed25519" ? null : algorithm.replace(/^\w+-/, "");
  const signature = sign(hash, Buffer.from(lines.join("\n")), key).toString("base64");
  const value = `keyId="${keyId}",algorithm="${algorithm}",headers="${names.join(" ")}",signature="${signature}"`;
  return { method, target, body, headers: { ...headers, signature: value, "tpp-signature-certificate": base64 } };
}

/** A detached JWS. `payload`: what is signed, if that is not the body. */
export function signJws(
  { key }: Signer,
  header: Readonly<Record<string, unknown>>,
  {
    method = "POST",
    target = "/v1/x",
    body = BODY,
    payload = body,
    headers = {},
  }: { method?: string; target?: string; body?: string; payload?: string; headers?: Record<string, string> } = {},
): Description & { headers: Record<string, string> } {
  const encoded = Buffer.from(JSON.stringify(header)).toString("base64url");
  const given = header["b64"] === false ? payload : Buffer.from(payload).toString("base64url");
  const alg = String(header["alg"]);
  const pss = alg.startsWith("PS")
    ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: Number(alg.slice(2)) / 8 }
    : {};
  const plain = alg.startsWith("ES") ? ({ dsaEncoding: "ieee-p1363" } as const) : {};
  const hash = alg === "EdDSA" ? null : `sha${alg.slice(2)}`;
  const signature = sign(hash, Buffer.from(`${encoded}.${given}`), { key, ...pss, ...plain }).toString("base64url");
  return {
    ...{ method, target, body },
    headers: { ...headers, "x-jws-signature": `${encoded}..${signature}` },
  };
}

export const CREATED = NOW / 1000;
export const IAT = "http://openbanking.org.uk/iat";
export const [ISS, TAN] = ["http://openbanking.org.uk/iss", "http://openbanking.org.uk/tan"];
export const UK = {
  ...{
    alg: "PS256",
    kid: "k1",
    b64: false,
    [IAT]: CREATED,
    [ISS]: "0015800001041REAAY/x",
    [TAN]: "openbanking.org.uk",
  },
  crit: ["b64", IAT, ISS, TAN],
};
export const jadesLines = ({
  method = "POST",
  target = "/v1/x",
  headers,
}: Partial<Pick<Description, "method" | "target">> & { headers: Record<string, string> }) =>
  `(request-target): ${method.toLowerCase()} ${target}\ndigest: ${headers["digest"]}\nx-request-id: ${REQUEST_ID}`;
export const JADES_HEADERS = { digest: `SHA-256=${digestOf(BODY)}`, "x-request-id": REQUEST_ID };
export const jades = (signer: Signer, more: object = {}) => ({
  ...{ alg: "RS256", b64: false, sigT: "2026-11-24T12:00:00Z", x5c: [signer.base64], crit: ["b64", "sigT", "sigD"] },
  sigD: { mId: "http://uri.etsi.org/19182/HttpHeaders", pars: ["(request-target)", "digest", "x-request-id"] },
  ...more,
});

export async function signRfc9421(
  signer: Signer,
  alg: string,
  more: { fields?: string[]; params?: object; method?: string; url?: string; body?: string; salt?: number } = {},
) {
  const { createSigner } = await import("http-message-signatures");
  const { fields = ["@method", "@target-uri", "content-digest", "x-request-id"], body = BODY } = more;
  const message = {
    ...{ method: more.method ?? "POST", url: more.url ?? "https://bank.example/v1/x?y=1" },
    headers: { "content-digest": `sha-256=:${digestOf(body)}:`, "x-request-id": REQUEST_ID },
  };
  // Node's own salt is as long as the key allows; RFC 9421 section 3.3.1 has 64 bytes
  const padded = { key: signer.key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: more.salt ?? 64 };
  const pss = { id: "k1", alg, sign: async (data: Buffer) => sign("sha512", data, padded) };
  const plain = () =>
    createSigner(signer.key.export({ type: "pkcs8", format: "pem" }) as string, alg as "ed25519", "k1");
  const signed = await httpbis.signMessage(
    {
      key: alg === "rsa-pss-sha512" ? pss : plain(),
      name: "psp",
      fields,
      params: ["created", "alg"],
      paramValues: { created: new Date(NOW), ...more.params },
    },
    message,
  );
  return { method: message.method, target: message.url, headers: signed.headers as Record<string, string>, body };
}
