/** The path from the PSP's certificate to the trusted list, as a picture with the same in words. */
import { countryName } from "../../platform/country.ts";
import { isDirectorySource } from "../../psp-check/directory-words.ts";
import { TRUSTED_LIST_SOURCE } from "../../trust/anchors.ts";
import type { CheckResult } from "./kept-checks.ts";

export interface Step {
  readonly kind: "psp" | "issuer" | "list" | "gap";
  readonly title: string;
  readonly what: string;
  /** In words only. */
  readonly sha256: string | null;
  /** What breaks the path here; null if nothing does. */
  readonly fault: string | null;
}

const FAULTS = { revoked: "revoked", unknown: "revocation unknown" } as const;

/** From the PSP to the list of trusted lists; or to where the path ends. */
export function listSteps({ name, authNumber, certificate, answer, doubts = [] }: CheckResult): Step[] {
  const { path = [], anchor = null } = answer.evidence ?? {};
  const faultOf = (sha256: string): string | null => {
    const doubt = doubts.find((each) => each.certificate === sha256);
    return doubt ? FAULTS[doubt.status] : null;
  };
  const psp: Step = {
    kind: "psp",
    title: name ?? "No organisation named",
    what: `PSP's certificate${authNumber === null ? "" : `, ${authNumber}`}`,
    sha256: certificate.sha256,
    fault: faultOf(certificate.sha256),
  };
  if (path.length === 0 || anchor === null)
    return [
      psp,
      {
        kind: "gap",
        title: answer.eIDAS.data.QTSPCommonName || "An issuer without a name",
        what: "issued it; no trusted list leads here",
        sha256: null,
        fault: null,
      },
    ];
  const holder = isDirectorySource(anchor.source) ? "Open Banking Directory" : "QTSP";
  const issuers = path.slice(1).map(
    ({ subject, sha256 }, i): Step => ({
      kind: "issuer",
      title: i === path.length - 2 ? anchor.service : commonName(subject),
      what: i === path.length - 2 ? `${holder}'s service, ${anchor.status ?? "no status yet"}` : "intermediate issuer",
      sha256,
      fault: faultOf(sha256),
    }),
  );
  const number = anchor.listSequenceNumber === null ? "" : `, number ${anchor.listSequenceNumber}`;
  const list: Step = {
    kind: "list",
    title: `Trusted list of ${countryName(anchor.jurisdiction)}`,
    what: `${anchor.source}${number}`,
    sha256: null,
    fault: null,
  };
  const root: Step = {
    kind: "list",
    title: "List of trusted lists",
    what: "European Commission; signers pinned in this service",
    sha256: null,
    fault: null,
  };
  return [psp, ...issuers, list, ...(anchor.source === TRUSTED_LIST_SOURCE ? [root] : [])];
}

/** Of an RFC 4514 name, for display; the whole name without one. */
const commonName = (subject: string): string =>
  /(?:^|[,+])CN=((?:\\.|[^,+\\])+)/.exec(subject)?.[1]?.replaceAll(/\\(.)/g, "$1") ?? subject;

const BOX = 50;
const GAP = 26;
/** What fits into the box of the narrowest phone. */
const MAX_CHARACTERS = 40;
const shorten = (text: string): string =>
  text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS - 1).trimEnd()}…` : text;

const describe = ({ what, fault }: Step): string => (fault === null ? what : `${fault}: ${what}`);

/** `good`: whether the path is genuine (validSignature and validQTSP). It does not hold where one of its certificates is revoked. */
export function PathPicture({ finding, good }: { finding: CheckResult; good: boolean }) {
  const steps = listSteps(finding);
  const height = steps.length * (BOX + GAP) - GAP;
  const holds = steps.every(({ fault }) => fault === null);
  const summary = !good ? "No valid path" : holds ? "An unbroken path" : "A path that does not hold";
  return (
    <>
      <svg class="path" width="100%" height={height} role="img" aria-labelledby="path-title">
        <title id="path-title">{`${summary}: ${steps.map((step) => `${step.title} (${describe(step)})`).join(", then ")}`}</title>
        {steps.map((step, i) => {
          const { kind, title, fault } = step;
          const y = i * (BOX + GAP);
          const isBroken = fault !== null || (steps[i - 1]?.fault ?? null) !== null;
          return (
            <g class={good && !isBroken ? "yes" : "no"}>
              {i > 0 && <path class="arrow" d={`M24 ${y - GAP + 1}V${y - 7}m-5 0 5 6 5-6`} />}
              {i > 0 && (isBroken || (!good && kind !== "list")) && (
                <path class="cut" d={`m18 ${y - GAP / 2 - 8} 12 8m0-8-12 8`} />
              )}
              <rect class={fault === null ? kind : "fault"} x="1" y={y + 1} width="99%" height={BOX - 2} rx="6" />
              <text class="title" x="14" y={y + 21}>
                {shorten(title)}
              </text>
              <text class="what" x="14" y={y + 39}>
                {shorten(describe(step))}
              </text>
            </g>
          );
        })}
      </svg>
      <details>
        <summary>The path in words</summary>
        <ol>
          {steps.map((step) => (
            <li>
              {step.title}: {describe(step)}
              {step.sha256 && (
                <>
                  {" "}
                  <span class="muted small">
                    SHA-256 <code>{step.sha256}</code>
                  </span>
                </>
              )}
            </li>
          ))}
        </ol>
      </details>
    </>
  );
}
