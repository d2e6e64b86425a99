/** The age of every source that a PSP check rests on: the trusted list, the revocation answers, the registers. */
import type { WarningCode } from "../eidas/warnings.ts";
import { relativeTime } from "../relative-time.ts";
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

const has = (code: WarningCode) => (each: { code: WarningCode }) => each.code === code;

function describeTrustedList({ evidence: { anchor }, warnings }: PspCheck, now: number): SourceAge[] {
  if (!anchor) return [];
  const { source, jurisdiction, listSequenceNumber, listIssuedAt, listNextUpdate } = anchor;
  const facts = [
    ...(listSequenceNumber === null ? [] : [`number ${listSequenceNumber}`]),
    ...(listIssuedAt === null ? [] : [`issued ${relativeTime(listIssuedAt, now)}`]),
    listNextUpdate === null ? "closed" : `next update ${relativeTime(listNextUpdate, now)}`,
  ];
  return [
    {
      name: `${source} trusted list of ${jurisdiction}`,
      sentence: facts.join(", "),
      stale: warnings.some(has("trusted_list_stale")),
    },
  ];
}

const describeRevocations = ({ evidence: { revocation, path } }: PspCheck, now: number): SourceAge[] =>
  revocation.map(({ certificate, source, producedAt, nextUpdate }) => {
    const place = path.findIndex(({ sha256 }) => sha256 === certificate);
    const end = nextUpdate === null ? "" : `, next update ${relativeTime(nextUpdate, now)}`;
    return {
      name: `${source} on ${place <= 0 ? "the certificate" : `its issuer ${place}`}`,
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
    (reading?.manifests ?? []).map(({ country, source, published, fetchedAt }) => ({
      name: `${source} register of ${country}`,
      sentence: `published ${relativeTime(published, now)}, fetched ${relativeTime(fetchedAt, now)}`,
      // the warning's sentence names the source
      stale: (register?.warning ?? []).some(
        (sentence, i) =>
          register?.warning_codes?.[i] === "register_stale" && sentence.startsWith(`the ${source} register`),
      ),
    })),
  );
}
