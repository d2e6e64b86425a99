/** What `doctor` says of institutions that never chose whether to accept banks abroad. */
import { type Finding, note } from "./finding.ts";

const UNCHOSEN =
  "SELECT fi_reference_id FROM financial_institutions WHERE bank_passports IS NULL AND status = 'active' ORDER BY 1";
const MOST_UNCHOSEN = 3;

/** Institutions that never chose whether a bank's authorisation at home is enough abroad. */
export async function findUnchosen(db: D1Database, command: (words: string) => string): Promise<Finding[]> {
  const { results } = await db.prepare(UNCHOSEN).all<{ fi_reference_id: string }>();
  const [first] = results;
  if (!first) return [];
  const left = results.length - MOST_UNCHOSEN;
  const named = results.slice(0, MOST_UNCHOSEN).map(({ fi_reference_id }) => fi_reference_id);
  const who = [...named, ...(left > 0 ? [`${left} more`] : [])].join(", ");
  return [
    note(
      "configuration",
      `${who}: whether a bank's authorisation at home is enough abroad was never chosen, which counts as refuse`,
      `choose: ${command(`fi set --reference ${first.fi_reference_id} --bank-passports refuse`)}, or accept; what it means is in /docs/going-live`,
    ),
  ];
}
