/** The age of every source that a PSP check rests on: the trusted list, the revocation answers, the registers. */
import type { WarningCode } from "../eidas/warnings.ts";
import { relativeTime } from "../platform/relative-time.ts";
import type { RegisterManifest } from "../registers/manifest.ts";
import { isClosed } from "../trust/anchors.ts";
import type { AnchorEvidence, Evidence, RevocationProof } from "./evidence.ts";
import type { PspCheck } from "./psp-check.ts";
import type { RegisterAnswers } from "./sentences.ts";

export interface SourceAge {
  readonly name: string;
  readonly sentence: string;
  readonly stale: boolean;
}

/** In the order in which they were asked. `now`: milliseconds since 1970. */
export const listSourceAges = (check: PspCheck, registers: RegisterAnswers, now: number): SourceAge[] => [
  ...describeTrustedList(check, now),
  ...describeRevocations(check, now),
  ...describeManifests(check, registers, now),
];

export const nameTrustedList = ({ source, jurisdiction }: AnchorEvidence): string =>
  `${source} trusted list of ${jurisdiction}`;

/** `path`: of the evidence that the answer belongs to. */
export function nameAnswer({ certificate, source }: RevocationProof, path: Evidence["path"]): string {
  const place = path.findIndex(({ sha256 }) => sha256 === certificate);
  return `${source} on ${place <= 0 ? "the certificate" : `its issuer ${place}`}`;
}

export const nameRegister = ({ source, country }: RegisterManifest): string => `${source} register of ${country}`;

const has = (code: WarningCode) => (each: { code: WarningCode }) => each.code === code;

function describeTrustedList({ evidence: { anchor }, warnings }: PspCheck, now: number): SourceAge[] {
  if (!anchor) return [];
  const { source, listSequenceNumber, listIssuedAt, listNextUpdate } = anchor;
  const facts = [
    ...(listSequenceNumber === null ? [] : [`number ${listSequenceNumber}`]),
    ...(listIssuedAt === null ? [] : [`issued ${relativeTime(listIssuedAt, now)}`]),
    ...(listNextUpdate === null ? [] : [`next update ${relativeTime(listNextUpdate, now)}`]),
    ...(isClosed({ source, nextUpdate: listNextUpdate }) ? ["closed"] : []),
  ];
  return [
    {
      name: nameTrustedList(anchor),
      sentence: facts.join(", "),
      stale: warnings.some(has("trusted_list_stale")),
    },
  ];
}

const describeRevocations = ({ evidence: { revocation, path } }: PspCheck, now: number): SourceAge[] =>
  revocation.map((answer) => {
    const { producedAt, nextUpdate } = answer;
    const end = nextUpdate === null ? "" : `, next update ${relativeTime(nextUpdate, now)}`;
    return {
      name: nameAnswer(answer, path),
      sentence: `made ${relativeTime(producedAt, now)}${end}`,
      stale: false,
    };
  });

function describeManifests(
  { home, host }: PspCheck,
  { homeRegister, hostRegister }: RegisterAnswers,
  now: number,
): SourceAge[] {
  return [
    { reading: home, register: homeRegister },
    { reading: host, register: hostRegister },
  ].flatMap(({ reading, register }) =>
    (reading?.manifests ?? []).map((manifest) => ({
      name: nameRegister(manifest),
      sentence: `published ${relativeTime(manifest.published, now)}, fetched ${relativeTime(manifest.fetchedAt, now)}`,
      // the warning's sentence names the source
      stale: (register?.warning ?? []).some(
        (sentence, i) =>
          register?.warning_codes?.[i] === "register_stale" && sentence.startsWith(`the ${manifest.source} register`),
      ),
    })),
  );
}
