/** The path from the PSP's certificate to the trusted list, as a picture with the same in words. */
import { countryName } from "../../country.ts";
import { TRUSTED_LIST_SOURCE } from "../../trust/loaded-list.ts";
import type { Found } from "./finding.ts";

export interface Step {
  readonly kind: "psp" | "issuer" | "list" | "gap";
  readonly title: string;
  readonly what: string;
  /** In words only. */
  readonly sha256: string | null;
}

/** From the PSP to the list of trusted lists; or to where the path ends. */
export function listSteps({ name, authNumber, certificate, answer }: Found): Step[] {
  const { path = [], anchor = null } = answer.evidence ?? {};
  const psp: Step = {
    kind: "psp",
    title: name ?? "No organisation named",
    what: `PSP's certificate${authNumber === null ? "" : `, ${authNumber}`}`,
    sha256: certificate.sha256,
  };
  if (path.length === 0 || anchor === null)
    return [
      psp,
      {
        kind: "gap",
        title: answer.eIDAS.data.QTSPCommonName || "An issuer without a name",
        what: "issued it; no trusted list leads here",
        sha256: null,
      },
    ];
  const issuers = path.slice(1).map(
    ({ subject, sha256 }, i): Step => ({
      kind: "issuer",
      title: i === path.length - 2 ? anchor.service : commonName(subject),
      what: i === path.length - 2 ? `QTSP's service, ${anchor.status ?? "no status yet"}` : "intermediate issuer",
      sha256,
    }),
  );
  const number = anchor.listSequenceNumber === null ? "" : `, number ${anchor.listSequenceNumber}`;
  const list: Step = {
    kind: "list",
    title: `Trusted list of ${countryName(anchor.jurisdiction)}`,
    what: `${anchor.source}${number}`,
    sha256: null,
  };
  const root: Step = {
    kind: "list",
    title: "List of trusted lists",
    what: "European Commission; signers pinned in this service",
    sha256: null,
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

/** `good`: whether the path holds (validSignature and validQTSP). */
export function PathPicture({ finding, good }: { finding: Found; good: boolean }) {
  const steps = listSteps(finding);
  const height = steps.length * (BOX + GAP) - GAP;
  return (
    <>
      <svg class={`path ${good ? "yes" : "no"}`} width="100%" height={height} role="img" aria-labelledby="path-title">
        <title id="path-title">{`${good ? "An unbroken path" : "No valid path"}: ${steps.map(({ title, what }) => `${title} (${what})`).join(", then ")}`}</title>
        {steps.map(({ kind, title, what }, i) => {
          const y = i * (BOX + GAP);
          return (
            <>
              {i > 0 && <path class="arrow" d={`M24 ${y - GAP + 1}V${y - 7}m-5 0 5 6 5-6`} />}
              {i > 0 && !good && kind !== "list" && <path class="cut" d={`m18 ${y - GAP / 2 - 8} 12 8m0-8-12 8`} />}
              <rect class={kind} x="1" y={y + 1} width="99%" height={BOX - 2} rx="6" />
              <text class="title" x="14" y={y + 21}>
                {shorten(title)}
              </text>
              <text class="what" x="14" y={y + 39}>
                {shorten(what)}
              </text>
            </>
          );
        })}
      </svg>
      <details>
        <summary>The path in words</summary>
        <ol>
          {steps.map(({ title, what, sha256 }) => (
            <li>
              {title}: {what}
              {sha256 && (
                <>
                  {" "}
                  <span class="muted small">
                    SHA-256 <code>{sha256}</code>
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
