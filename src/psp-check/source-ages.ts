/** The age of every source that a PSP check is based on, and the oldest of them: the trusted list, the revocation answers, the registers. */
import type { WarningCode } from "../eidas/every-warning.ts";
import { relativeTime } from "../platform/clock.ts";
import type { Instant } from "../platform/instant.ts";
import { type RegisterManifest, registerDate } from "../registers/manifest.ts";
import { isClosed } from "../trust/anchors.ts";
import type { AnchorEvidence, Evidence, RevocationProof } from "./evidence.ts";
import type { PspCheck } from "./psp-check.ts";
import type { RegisterAnswers } from "./sentences.ts";

export interface SourceAge {
  readonly name: string;
  readonly sentence: string;
  readonly stale: boolean;
}

/** In the order in which they were asked. */
export const listSourceAges = (check: PspCheck, registers: RegisterAnswers, now: Instant): SourceAge[] => [
  ...describeTrustedList(check, now),
  ...describeRevocations(check, now),
  ...describeManifests(check, registers, now),
];

const nameTrustedList = ({ source, jurisdiction }: AnchorEvidence): string =>
  `${source} trusted list of ${jurisdiction}`;

/** `path`: of the evidence that the answer belongs to. */
function nameAnswer({ certificate, source }: RevocationProof, path: Evidence["path"]): string {
  const place = path.findIndex(({ sha256 }) => sha256 === certificate);
  return `${source} on ${place <= 0 ? "the certificate" : `its issuer ${place}`}`;
}

const nameRegister = ({ source, country }: RegisterManifest): string => `${source} register of ${country}`;

const has = (code: WarningCode) => (each: { code: WarningCode }) => each.code === code;

function describeTrustedList({ evidence: { anchor }, warnings }: PspCheck, now: Instant): SourceAge[] {
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
      stale: warnings.some(has("trusted_list_stale")) || warnings.some(has("list_of_lists_expired")),
    },
  ];
}

const describeRevocations = ({ evidence: { revocation, path } }: PspCheck, now: Instant): SourceAge[] =>
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
  now: Instant,
): SourceAge[] {
  return [
    { reading: home, register: homeRegister },
    { reading: host, register: hostRegister },
  ].flatMap(({ reading, register }) =>
    (reading?.manifests ?? []).map((manifest) => ({
      name: nameRegister(manifest),
      sentence: `${manifest.dated === "fetch" ? "" : `published ${relativeTime(manifest.published, now)}, `}fetched ${relativeTime(manifest.fetchedAt, now)}`,
      // the warning's sentence names the source
      stale: (register?.warning ?? []).some(
        (sentence, i) =>
          register?.warning_codes?.[i] === "register_stale" && sentence.startsWith(`the ${manifest.source} register`),
      ),
    })),
  );
}

export interface OldestSource {
  /** As in the sentences on the sources' ages. */
  readonly name: string;
  /** ISO 8601 in UTC: the list's issue, the thisUpdate of an OCSP response or CRL, the earlier of a register's publication and fetch. */
  readonly at: string;
}

/** Of several that are equally old, the first. Null if the check is based on nothing whose date is known. */
export function findOldest({
  evidence,
  home,
  host,
}: Pick<PspCheck, "evidence" | "home" | "host">): OldestSource | null {
  const { anchor, revocation, path } = evidence;
  let oldest: { readonly name: () => string; readonly time: Instant } | null = null;
  const compare = (time: Instant, name: () => string) => {
    // a date that cannot be read is NaN
    if (oldest === null ? !Number.isNaN(time) : time < oldest.time) oldest = { name, time };
  };
  if (anchor?.listIssuedAt) compare(Date.parse(anchor.listIssuedAt), () => nameTrustedList(anchor));
  for (const answer of revocation) compare(Date.parse(answer.thisUpdate), () => nameAnswer(answer, path));
  for (const reading of [home, host])
    for (const manifest of reading?.manifests ?? []) compare(registerDate(manifest), () => nameRegister(manifest));
  return writeOldest(oldest);
}

const writeOldest = (oldest: { readonly name: () => string; readonly time: Instant } | null): OldestSource | null =>
  oldest && { name: oldest.name(), at: new Date(oldest.time).toISOString() };
