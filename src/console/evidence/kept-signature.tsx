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

/** Of the forms in which a PSP may sign. */
const PROFILES: Readonly<Record<string, string>> = {
  "berlin-group": "the Berlin Group demands it",
  stet: "STET demands it",
  rfc9421: "the Internet standard RFC 9421 has it",
  "uk-open-banking": "UK Open Banking demands it",
  jades: "the European standard JAdES has it",
};

/** By the first problem. */
const whatToDo = ([first]: readonly SignatureProblemCode[]): string =>
  first === "replayed"
    ? "Do not carry the request out a second time. If the PSP has not sent it twice, somebody else has: tell your operator."
    : `Do not carry the request out: nobody knows that the PSP has sent it as it arrived.${first?.endsWith("certificate_not_valid") ? " What is wrong with the certificate is below." : ""} Engineers of the PSP, or of your own gateway, find the cause with what is said here for programs.`;

const PARTS = { method: "what kind of request it is", target: "its address", body: "its body" } as const;

export function SignatureCard({ signature }: { signature: KeptSignature }) {
  const { profile, created, verified, problems, binds } = signature;
  return (
    <section class="card">
      <h2>
        The signature of the request <Mark state={verified ? "yes" : "no"}>{verified ? "Right" : "Not right"}</Mark>
      </h2>
      {problems.length > 0 && (
        <>
          <ul class="remarks">
            {problems.map((code) => (
              <li>
                {explainProblem(code)}. <Code>{code}</Code>
              </li>
            ))}
          </ul>
          <p>
            <b>What to do:</b> {whatToDo(problems)}
          </p>
          <ForPrograms title="What engineers do about it">
            <p class="muted small">Where nothing is said of the bank, it is for the PSP.</p>
            <ul>
              {problems.map((code) => (
                <li>
                  <code>{code}</code>: {SIGNATURE_CURES[code]}
                </li>
              ))}
            </ul>
          </ForPrograms>
        </>
      )}
      <dl class="facts">
        <Fact name="Written as">{profile === null ? "no known form" : (PROFILES[profile] ?? profile)}</Fact>
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
