/** The oldest of what a PSP check rests on: the trusted list, the revocation answers, the registers. Pure. */
import { registerDate } from "../registers/manifest.ts";
import type { PspCheck } from "./psp-check.ts";
import { nameAnswer, nameRegister, nameTrustedList } from "./source-ages.ts";

export interface OldestSource {
  /** As in the sentences on the sources' ages. */
  readonly name: string;
  /** ISO 8601 in UTC: the list's issue, the thisUpdate of an OCSP response or CRL, the date from which a register ages. */
  readonly at: string;
}

/** Of several that are equally old, the first. Null if the check rests on nothing whose date is known. */
export function findOldest({
  evidence,
  home,
  host,
}: Pick<PspCheck, "evidence" | "home" | "host">): OldestSource | null {
  const { anchor, revocation, path } = evidence;
  let oldest: { readonly name: () => string; readonly time: number } | null = null;
  const compare = (time: number, name: () => string) => {
    // a date that cannot be read is NaN
    if (oldest === null ? !Number.isNaN(time) : time < oldest.time) oldest = { name, time };
  };
  if (anchor?.listIssuedAt) compare(Date.parse(anchor.listIssuedAt), () => nameTrustedList(anchor));
  for (const answer of revocation) compare(Date.parse(answer.thisUpdate), () => nameAnswer(answer, path));
  for (const reading of [home, host])
    for (const manifest of reading?.manifests ?? []) compare(registerDate(manifest), () => nameRegister(manifest));
  return writeOldest(oldest);
}

const writeOldest = (oldest: { readonly name: () => string; readonly time: number } | null): OldestSource | null =>
  oldest && { name: oldest.name(), at: new Date(oldest.time).toISOString() };
