/** What a kept answer says beside its reasons: the certificate's subject, and the verdict on a request's signature. */
import { SIGNATURE_CURES, type SignatureProblemCode } from "../../psp-check/signed-request/problems.ts";
import { Code, Fact, ForPrograms, Mark, Time } from "../elements.tsx";
import { type KeptReasons, readReasons } from "./kept-reasons.ts";
import { explainProblem } from "./record-words.ts";

/** Of an answer to POST /v1/psp/signatures. */
interface KeptSignature {
  readonly profile: string | null;
  /** ISO 8601. */
  readonly created: string | null;
  readonly verified: boolean;
  readonly problems: readonly SignatureProblemCode[];
  /** With version `latest`. */
  readonly binds?: readonly ("method" | "target" | "body")[];
}

export interface KeptCheck {
  readonly reasons: KeptReasons;
  /** Of the certificate, as it says it; null if it says none, or nothing is kept. */
  readonly subject: string | null;
  readonly signature: KeptSignature | null;
}

/** Of any other value: nothing. */
export function readKeptCheck(answer: unknown): KeptCheck {
  const { eIDAS, signature = null } = Object(answer) as {
    readonly eIDAS?: { readonly data?: { readonly pspSubjectName?: string } };
    readonly signature?: KeptSignature | null;
  };
  return { reasons: readReasons(answer), subject: eIDAS?.data?.pspSubjectName || null, signature };
}

const whatToDo = (problems: readonly SignatureProblemCode[]): string =>
  problems.includes("replayed")
    ? "Do not carry it out a second time. If the PSP has not sent it twice, somebody else has: tell your operator."
    : "Do not carry it out: nobody knows that the PSP has sent it as it arrived. Engineers of the PSP, or of your gateway, find the cause by what is said for them.";

const PARTS = { method: "what kind of request it is", target: "its address", body: "its body" } as const;

export function SignatureCard({ signature }: { signature: KeptSignature }) {
  const { profile, created, verified, problems, binds } = signature;
  return (
    <section class="card">
      <h2>
        The signature of the request <Mark state={verified ? "yes" : "no"}>{verified ? "Right" : "Not right"}</Mark>
      </h2>
      {!verified && (
        <p>
          <b>What to do:</b> {whatToDo(problems)}
        </p>
      )}
      <ul class="remarks">
        {problems.map((code) => (
          <li>
            {explainProblem(code)}. <Code>{code}</Code>
            <ForPrograms title="What engineers do about it">{SIGNATURE_CURES[code]}</ForPrograms>
          </li>
        ))}
      </ul>
      <dl class="facts">
        <Fact name="Written as">
          {profile === "rfc9421" ? "RFC 9421, an Internet standard" : (profile ?? "no known form")}
        </Fact>
        {created !== null && (
          <Fact name="Signed at">
            <Time at={created} seconds />
          </Fact>
        )}
        {verified && binds && (
          <Fact name="The PSP vouches for">{binds.map((part) => PARTS[part]).join(", ") || "none of its parts"}</Fact>
        )}
      </dl>
    </section>
  );
}
