/** Which requests the page counts, and which it leaves out: its figures are of records, which not every request leaves. */
import { ENDPOINTS, OLDER_ENDPOINTS, OPERATION } from "../../http/endpoints.ts";
import { leavesRecord } from "../../http/middleware/ledger.ts";

/** From the table of endpoints, so that one that begins to leave records is no longer listed. */
export function CountedCard({ env: { LEGACY_1_6 } }: { env: Pick<Env, "LEGACY_1_6"> }) {
  const all = [...ENDPOINTS, ...(LEGACY_1_6 === "true" ? OLDER_ENDPOINTS : []), ...OPERATION];
  const leftOut = all.filter((endpoint) => !leavesRecord(endpoint));
  return (
    <section class="card" aria-labelledby="counted">
      <h2 id="counted">Which requests are counted</h2>
      <p>
        Each request that left a record: checks of PSPs, and what gives or ends codes, tokens and consents. Not counted
        is a request that was refused before it was known whose it was: for its credentials, its address, or too many
        requests in five minutes. Nor are the pages of this console, but for those of its forms that leave a record.
      </p>
      <details>
        <summary>{leftOut.length} endpoints leave no record, and are not counted</summary>
        <ul>
          {leftOut.map(({ method, path }) => (
            <li>
              <code>
                {method} {path}
              </code>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}
