/**
 * POST /v1/psp/signatures: was this request signed by the PSP? It answers what GET /v1/psp/eidas answers on the certificate that
 * signed, and `signature`. Loaded by the first request for it. What a stranger wrote is never an error of the bank's: it is
 * a no with a problem. Neither the request nor a sentence that quotes it is kept, since both may name a customer.
 */
import type { Context } from "hono";
import * as z from "zod";
import { rememberedUntil, takeRequestId } from "../../grants/request-ids.ts";
import type { AppEnv } from "../../http/context.ts";
import { ApiError } from "../../http/errors/errors.ts";
import { checkShown } from "../../http/middleware/bearer-token.ts";
import { checkChain } from "../../http/middleware/certificate.ts";
import {
  describeChecked,
  keepAnswer,
  keepBasis,
  noteCheck,
  noteShown,
  requestEvidence,
} from "../../http/middleware/noted-check.ts";
import { validate } from "../../http/middleware/validate.ts";
import { steps } from "../../http/steps.ts";
import { readKnownCountry } from "../../platform/country.ts";
import { once } from "../../platform/memory.ts";
import { hashBytes } from "../../platform/node-crypto.ts";
import { optional } from "../../platform/schemas.ts";
import { describeCheck, type KeptPspCheck, sendAnswer } from "../../psp-check/answer.ts";
import { AT_HOME, decideOnCheck } from "../../psp-check/decision.ts";
import type { PspCheck } from "../../psp-check/psp-check.ts";
import { METHOD, readDescription, TARGET } from "../../psp-check/signed-request/described-request.ts";
import {
  explainBodyDigest,
  explainHeaders,
  explainMethod,
  explainTarget,
} from "../../psp-check/signed-request/description-faults.ts";
import { compareIssuer } from "../../psp-check/signed-request/issuer.ts";
import { chooseCertificate, judgeSignature } from "../../psp-check/signed-request/judge-signature.ts";
import { problem, type SignatureProblem } from "../../psp-check/signed-request/problems.ts";
import { readSignature } from "../../psp-check/signed-request/read-signature.ts";
import { readOnly, type SignatureReading, type SignedRequest } from "../../psp-check/signed-request/request.ts";
import { registerMaxAges } from "../../registers/manifest.ts";
import type { Certificate } from "../../x509/certificate.ts";
import { findCountryProblem, refuseCountry } from "./eidas.ts";
import type * as answers from "./signatures.answer.ts";

const MAX_TARGET_CHARACTERS = 8 * 1024;

type Headers = Readonly<Record<string, string | readonly string[]>>;

const areHeaders = (given: unknown): given is Headers => explainHeaders(given) === null;

export const body = once(() =>
  z.object({
    method: z.string("is not a string").regex(METHOD, { error: ({ input }) => explainMethod(input ?? "") }),
    target: z
      .string("is not a string")
      .max(MAX_TARGET_CHARACTERS, `is longer than ${MAX_TARGET_CHARACTERS} characters`)
      .regex(TARGET, { error: ({ input }) => explainTarget(input ?? "") }),
    headers: z.custom<Headers>(areHeaders, { error: ({ input }) => explainHeaders(input) ?? undefined }),
    // what UTF-8 cannot write would be read as another text
    body: z
      .string("is not a string")
      .refine((text) => text.isWellFormed(), "is not well-formed Unicode: send body_digest")
      .nullish(),
    body_digest: optional(
      z.string("is not a string").refine((each) => explainBodyDigest(each) === null, {
        error: ({ input }) => explainBodyDigest(String(input)) ?? undefined,
      }),
    ),
    require_date: optional(z.boolean("is not true or false")),
    // its codes are 404 elsewhere
    jurisdiction: z.unknown().optional(),
    eIDAS: optional(z.string("is not a string")),
    replay: optional(z.literal("refuse", 'is not "refuse"')),
  }),
);

export const answerSignature = steps(validate("json", body), async (c) => {
  const given = c.req.valid("json");
  const [now, version] = [c.get("now"), c.get("version")];
  const jurisdiction = readJurisdiction(given.jurisdiction);
  if (given.body != null && given.body_digest !== undefined)
    throw new ApiError({ code: "body_digest_invalid", title: "body_digest is sent beside body: send one of them" });
  c.set("jurisdiction", jurisdiction);
  const request = readDescription({ ...given, body: given.body ?? undefined });
  const reading = await readSignature(request, now);
  const chosen = chooseCertificate(reading, given.eIDAS ?? null);
  // of the TLS connection, if the bank sends it
  const tls = await checkShown(c);
  if (!chosen.ok) return answer(c, reading, [...reading.problems, ...chosen.problems], null);
  const check = await checkChain(c, chosen.chain, jurisdiction);
  const unknown = findCountryProblem(jurisdiction, check);
  if (unknown) throw new ApiError({ ...unknown, status: 400 });
  const maxAges = registerMaxAges(c.env);
  const decision = decideOnCheck(check, { jurisdiction, bankPassports: c.get("fi").bankPassports }, now, maxAges);
  noteCheck(c, check, decision);
  if (tls) {
    keepBasis(c, tls);
    noteShown(c, tls);
    c.set("checked", [...(c.get("checked") ?? []), describeChecked(tls, [decideOnCheck(tls, AT_HOME, now)], [])]);
  }
  const { leaf } = chosen.chain;
  const faults = [...reading.problems, ...(await judgeSignature(reading, leaf, check, tls))];
  // only what is right takes an id: a stranger cannot spoil one of a PSP
  const isReplay =
    faults.length === 0 && given.replay === "refuse" && (await isTaken(c, request, reading, check, leaf));
  const problems = isReplay ? [problem("replayed", "a request with this id was verified before")] : faults;
  const described = describeCheck(check, jurisdiction, version, maxAges, now, decision);
  return answer(c, reading, problems, { check, described, leaf });
});

/** An ISO code in upper case. Throws {@link ApiError} 400. */
function readJurisdiction(given: unknown): string {
  const refuse = (code: "jurisdiction_missing" | "jurisdiction_invalid", title: string) =>
    new ApiError({ code, status: 400, title });
  if (given === undefined || given === null) throw refuse("jurisdiction_missing", "jurisdiction is missing");
  if (typeof given !== "string") throw refuse("jurisdiction_invalid", "jurisdiction is not a string");
  const country = readKnownCountry(given);
  if (country === null) throw new ApiError({ ...refuseCountry(given), status: 400 });
  return country;
}

/** By the id that the signature covers; where it covers none, by what was signed: the same bytes again are a replay. */
async function isTaken(
  c: Context<AppEnv>,
  request: SignedRequest,
  { covered, created, signed }: SignatureReading,
  { psp }: PspCheck,
  { notAfter }: Certificate,
): Promise<boolean> {
  const field = covered.includes("x-request-id") ? readOnly(request, "x-request-id") : null;
  const id = field && "value" in field ? `id ${field.value}` : `signed ${digestSigned(signed)}`;
  const taken = { fiId: c.get("fi").id, pspId: psp.pspId ?? "", id };
  return !(await takeRequestId(c.env, taken, rememberedUntil(created, notAfter, c.get("now"))));
}

const digestSigned = (signed: SignatureReading["signed"]): string | null =>
  signed?.data[0] ? hashBytes("sha256", signed.data[0]) : null;

interface DescribedCheck {
  readonly check: PspCheck;
  readonly described: KeptPspCheck;
  readonly leaf: Certificate;
}

function answer(
  c: Context<AppEnv>,
  { profile, covered, binds, issuer, created, signed }: SignatureReading,
  problems: readonly SignatureProblem[],
  checked: DescribedCheck | null,
): Response {
  const verified = problems.length === 0;
  const said = {
    ...{ profile, covered, created: created === null ? null : new Date(created).toISOString() },
    ...{ verified, sha256: digestSigned(signed) },
    ...(c.get("version") === "latest" && {
      binds: verified ? binds : [],
      issuer: issuer === null || !checked ? null : compareIssuer(issuer, checked.leaf),
    }),
  };
  const signature: answers.SignatureAnswer = { ...said, problems };
  const [first] = problems;
  if (first && c.get("outcome") === undefined) c.set("outcome", first.code);
  const kept = { ...checked?.described, signature: { ...said, problems: problems.map(({ code }) => code) } };
  c.set("keptAnswer", keepAnswer(c, checked?.check ?? null, kept));
  return c.json({ ...(checked && sendAnswer(checked.described, requestEvidence(c))), signature });
}
