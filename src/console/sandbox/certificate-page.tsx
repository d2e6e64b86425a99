/**
 * /console/sandbox: makes a certificate of a sandbox's PSP, and shows it with its key in the answer to the form, once. The
 * module that makes it is loaded by that form alone. A service without the secret SANDBOX_CA, as production is, has no such page.
 */

import { findHomeRegister } from "../../registers/lookup.ts";
import type { CertificateWishes } from "../../sandbox/issue-certificate.ts";
import { parseSandboxNumber } from "../../sandbox/sandbox-number.ts";
import { Problem } from "../elements.tsx";
import { ChoiceField } from "../fields.tsx";
import { textOf } from "../forms.ts";
import { FormToken, show } from "../frame.tsx";
import { type Page, PageProblem, type Reader, type Visit } from "../page.ts";
import { MAKE_CERTIFICATES } from "../roles.ts";

const PATH = "/console/sandbox";
const ROLES = [
  ["PSP_PI PSP_AI", "PSP_PI and PSP_AI"],
  ["PSP_PI", "PSP_PI: payments alone"],
  ["PSP_AI", "PSP_AI: accounts alone"],
  ["PSP_IC", "PSP_IC: neither"],
  ["PSP_AS PSP_PI PSP_AI PSP_IC", "All four, as of a credit institution"],
] as const;
const TYPES = [
  ["web", "TLS (QWAC)"],
  ["seal", "seals (QSealC)"],
] as const;
const KEYS = [
  ["rsa-2048", "RSA 2048"],
  ["p-256", "P-256"],
] as const;
const MOST_DAYS = 3650;
const FLAWS = [
  ["none", "Nothing"],
  ["expired", "It expired yesterday"],
  ["revoked", "Its CA has revoked it"],
  ["unlisted", "Its CA is on no trusted list"],
] as const;

const sandboxCa = (env: object): string => (env as { readonly SANDBOX_CA?: string }).SANDBOX_CA ?? "";

export const sandboxPage: Page = {
  ...{ path: PATH, menu: "Sandbox", roles: MAKE_CERTIFICATES, isThere: (env) => sandboxCa(env) !== "" },
  get: (visit: Visit<Reader>) => ask(visit),
  post: make,
  form: { unrecorded: "a sandbox's certificate decides about no customer" },
};

async function ask(visit: Visit<Reader>, problem?: string, number = ""): Promise<Response> {
  const children = (
    <>
      <p>A certificate of a PSP in the sandbox's register, with its private key. No real PSP can have one.</p>
      <Problem>{problem}</Problem>
      <form method="post" action={visit.href(PATH)} class="card stack">
        <label class="field">
          Authorisation number <span class="hint">such as PSDXX-TEST-000001</span>
          <input name="number" required value={number} spellcheck={false} autocapitalize="characters" />
        </label>
        <div class="row">
          <ChoiceField label="For" name="type" choices={TYPES} />
          <ChoiceField label="Key" name="key" choices={KEYS} />
          <label class="field">
            Days
            <input name="days" type="number" min="1" max={MOST_DAYS} value="365" />
          </label>
          <ChoiceField label="What is wrong with it" name="flaw" choices={FLAWS} />
        </div>
        <ChoiceField label="Roles" name="roles" choices={ROLES} />
        <FormToken visit={visit} />
        <p>
          <button type="submit">Make the certificate</button>
        </p>
      </form>
    </>
  );
  return await show(visit, { title: "Sandbox certificates", children, status: problem === undefined ? 200 : 400 });
}

async function make(visit: Visit<Reader>, form: FormData): Promise<Response> {
  const { c, now, href } = visit;
  const again = (problem: string) => {
    c.set("outcome", "sandbox_form_invalid");
    return ask(visit, problem, textOf(form, "number"));
  };
  const parsed = parseSandboxNumber(textOf(form, "number"));
  if (!parsed.ok) return again(`The number ${parsed.message}.`);
  const { number } = parsed;
  const days = /^\d{1,4}$/.test(textOf(form, "days")) ? Number(textOf(form, "days")) : 0;
  if (days < 1 || days > MOST_DAYS) return again(`Days: a number from 1 to ${MOST_DAYS}.`);
  const chosen = ROLES.find(([value]) => value === textOf(form, "roles"));
  if (!chosen) return again("Choose a role: a PSP's certificate has one at least.");
  const roles = chosen[0].split(" ") as CertificateWishes["roles"];
  const home = await findHomeRegister(c.env.KV, number, now);
  const name = home.categories[0]?.record.legalName;
  if (name === undefined) return again(`${number} is not in the sandbox's register: sandbox psp add adds it.`);
  const flaw = textOf(form, "flaw");
  const wishes: CertificateWishes = {
    ...{ number, name, roles, days },
    type: textOf(form, "type") === "seal" ? "seal" : "web",
    key: textOf(form, "key") === "p-256" ? "p-256" : "rsa-2048",
    ...{ expired: flaw === "expired", revoked: flaw === "revoked", unlisted: flaw === "unlisted" },
  };
  const { makePem } = await import("../../sandbox/make-pem.ts");
  const made = await makePem(c.env.KV, sandboxCa(c.env), wishes, now);
  if (!made)
    throw new PageProblem({
      ...{ status: 503, code: "sandbox_ca_unreadable", heading: "The sandbox's CA cannot be used" },
      text: "The secret SANDBOX_CA is no key of a sandbox. Nothing was made.",
    });
  // of the key, which nothing between here and the reader is to keep
  c.header("Cache-Control", "no-store");
  const files = [
    ["key.pem", "Private key", made.privateKey],
    ["certificate.pem", "Certificate", made.certificate],
    ["issuer.pem", "Its CA", made.issuer],
  ] as const;
  const children = (
    <section class="card stack">
      <p class="notice warn">
        <span>Keep the key now. It is not stored, and no page shows it again, this one neither.</span>
      </p>
      {files.map(([file, label, pem]) => (
        <div class="stack">
          <label class="field">
            {label} <span class="hint">{file}</span>
            <textarea id={file} readonly rows={6} spellcheck={false}>
              {pem}
            </textarea>
          </label>
          <button type="button" class="quiet" data-copy={file} hidden>
            Copy {file}
          </button>
        </div>
      ))}
      <p>
        A browser takes them as one file:{" "}
        <code>openssl pkcs12 -export -inkey key.pem -in certificate.pem -out psp.p12</code>
      </p>
      <p>
        <a href={href(PATH)}>Another certificate</a>
      </p>
    </section>
  );
  return await show(visit, { title: `A certificate of ${number}`, children });
}
