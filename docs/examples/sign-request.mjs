// A PSP signs a request by its QSealC. Prints what its bank asks POST /v1/psp/signatures with: the request as it was received.
//   node sign-request.mjs berlin-group|rfc9421|uk-open-banking FOLDER   (FOLDER has certificate.pem and an RSA key.pem)
import { constants, createHash, randomUUID, sign, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";

const [profile, folder] = process.argv.slice(2);
const key = readFileSync(`${folder}/key.pem`);
const certificate = new X509Certificate(readFileSync(`${folder}/certificate.pem`));
const eIDAS = certificate.raw.toString("base64");

const request = { method: "POST", target: "https://bank.example/v1/payments/sepa-credit-transfers" };
const body = JSON.stringify({ instructedAmount: { currency: "EUR", amount: "12.50" } });
const digest = createHash("sha256").update(body).digest("base64");
const id = randomUUID();
const now = new Date();
const seconds = Math.floor(now / 1000);
// the salt has to be as long as the hash: Node's own is as long as the key allows
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };

const PROFILES = {
  "berlin-group": () => {
    const covered = {
      "(request-target)": "post /v1/payments/sepa-credit-transfers",
      digest: `SHA-256=${digest}`,
      "x-request-id": id,
      date: now.toUTCString(),
    };
    const text = Object.entries(covered)
      .map(([name, value]) => `${name}: ${value}`)
      .join("\n");
    const { "(request-target)": _, ...headers } = covered;
    const keyId = `SN=${certificate.serialNumber},CA=${certificate.issuer.replaceAll("\n", ",")}`;
    const signature = sign("sha256", Buffer.from(text), key).toString("base64");
    headers["tpp-signature-certificate"] = eIDAS;
    headers.signature = `keyId="${keyId}",algorithm="rsa-sha256",headers="${Object.keys(covered).join(" ")}",signature="${signature}"`;
    return { ...request, headers, body };
  },
  rfc9421: () => {
    const headers = { "content-digest": `sha-256=:${digest}:`, "x-request-id": id };
    const covered = { "@method": request.method, "@target-uri": request.target, ...headers };
    const input = `(${Object.keys(covered)
      .map((name) => `"${name}"`)
      .join(" ")});created=${seconds};alg="rsa-pss-sha512"`;
    const lines = [...Object.entries(covered), ["@signature-params", input]].map(
      ([name, value]) => `"${name}": ${value}`,
    );
    const signature = sign("sha512", Buffer.from(lines.join("\n")), { key, ...pss }).toString("base64");
    headers["signature-input"] = `psp=${input}`;
    headers.signature = `psp=:${signature}:`;
    return { ...request, headers, body, eIDAS };
  },
  "uk-open-banking": () => {
    const [iat, iss, tan] = ["iat", "iss", "tan"].map((name) => `http://openbanking.org.uk/${name}`);
    // the authorisation number: organizationIdentifier of the certificate's subject
    const [, number] = /organizationIdentifier=(.+)/.exec(certificate.subject);
    const header = {
      alg: "PS256",
      kid: "seal",
      [iat]: seconds,
      [iss]: number,
      [tan]: "openbanking.org.uk",
      crit: [iat, iss, tan],
    };
    const [first, payload] = [JSON.stringify(header), body].map((text) => Buffer.from(text).toString("base64url"));
    const signature = sign("sha256", Buffer.from(`${first}.${payload}`), { key, ...pss }).toString("base64url");
    return { ...request, headers: { "x-jws-signature": `${first}..${signature}` }, body, eIDAS };
  },
};
console.log(JSON.stringify({ ...PROFILES[profile](), jurisdiction: "XX" }));
