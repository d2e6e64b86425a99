/** `fi list`: institutions with their credentials, and how old each is. */
import type { Institution } from "../institutions/institution-list.ts";
import { relativeTime } from "../platform/clock.ts";
import type { Style } from "./output.ts";
import { drawTable, grouped } from "./table.ts";

/** Of an institution, and then of each of its credentials. */
const HEAD = ["reference", "name", "status", "added", "live tokens"];
const CREDENTIAL_HEAD = ["client id", "secret made", "old secret"];

/** One line for each credential, the institution on the first. `now`: milliseconds since 1970. */
export function describeInstitutions(institutions: readonly Institution[], now: number, style: Style): string {
  if (institutions.length === 0) return "no institution: fi add --name 'My Bank' --reference PSDFI-FINFSA-0001";
  // of interest only where there is a second one
  const waits = institutions.some(({ ledger }) => ledger !== "default");
  const placed = institutions.some(({ database }) => database !== 1);
  const rows = institutions.flatMap((fi) => {
    const status = fi.status === "active" ? style.good("✓ active") : style.bad("✗ disabled");
    const tokens = fi.live_tokens === null ? style.bad("no answer") : grouped(fi.live_tokens);
    const place = placed ? [`${fi.database}`] : [];
    const ledger = waits ? [fi.ledger] : [];
    const own = [fi.fi_reference_id, fi.name, status, relativeTime(fi.created_at, now), tokens, ...place, ...ledger];
    const credentials = fi.credentials.map(({ client_id, secret_made_at, old_secret_until }) => [
      client_id,
      relativeTime(secret_made_at, now),
      old_secret_until === null ? "" : style.doubtful(`ends ${relativeTime(old_secret_until, now)}`),
    ]);
    const [first = [style.doubtful("none: fi link")], ...more] = credentials;
    return [[...own, ...first], ...more.map((credential) => [...own.map(() => ""), ...credential])];
  });
  const more = [...(placed ? ["database"] : []), ...(waits ? ["ledger"] : [])];
  return drawTable([...HEAD, ...more, ...CREDENTIAL_HEAD], rows, style);
}

/** The client id, and of a new credential its secret, which nothing can show again. */
export function describeCredential(
  { client_id, client_secret }: { readonly client_id: string; readonly client_secret?: string },
  style: Style,
): string {
  const secret =
    client_secret === undefined
      ? []
      : [`  client_secret  ${client_secret}   ${style.doubtful("shown this once only")}`];
  return [`  client_id      ${client_id}`, ...secret].join("\n");
}
