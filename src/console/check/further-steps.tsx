/** What can be done with a result: share, print, repeat, and see it as a program does. */

import { baseUrl } from "../../http/errors/errors.ts";
import { showInvisibleInJson } from "../../platform/quotation.ts";
import { Time } from "../elements.tsx";
import { ChoiceField } from "../fields.tsx";
import { FormToken } from "../frame.tsx";
import { hasRole, type Reader, type Visit } from "../page.ts";
import { CHECK } from "../roles.ts";
import type { Jurisdiction } from "./jurisdictions.ts";
import type { CheckResult } from "./kept-checks.ts";
import { KEPT_DAYS, type KeptCheck, MAX_KEPT } from "./kept-checks.ts";

export function FurtherSteps({
  visit,
  check,
  finding,
  jurisdictions,
}: {
  visit: Visit<Reader>;
  check: KeptCheck;
  finding: CheckResult;
  jurisdictions: readonly Jurisdiction[];
}) {
  const { c, reader, href, params } = visit;
  const base = baseUrl(c.env.BASE_URL, c.req.url);
  const caller =
    reader.kind === "institution" && reader.by.kind === "credentials"
      ? { clientId: reader.by.clientId, fiReferenceId: reader.fi.fiReferenceId }
      : null;
  const command = writeCurl({ base, jurisdiction: check.jurisdiction, caller, header: finding.certificate.header });
  const address = `${base}${c.req.path}`;
  return (
    <section class="card no-print">
      <h2>Next steps</h2>
      <div class="row">
        {hasRole(reader, CHECK) && (
          <>
            <form method="post" action={href(`/console/check/${params["id"]}`)} class="row">
              <FormToken visit={visit} />
              <ChoiceField
                {...{ label: "Check again, for", name: "jurisdiction", given: { jurisdiction: check.jurisdiction } }}
                choices={jurisdictions.map(({ code, name }) => [code, name])}
              />
              <button type="submit" class="second">
                Check again
              </button>
            </form>
            <a class="button second" href={href("/console/check")}>
              Check another
            </a>
          </>
        )}
        <button type="button" class="second" data-print hidden>
          Print the report
        </button>
      </div>
      <h3>Share</h3>
      <p>
        Colleagues who sign in for {reader.kind === "institution" ? reader.fi.name : "the operators"} see this page at{" "}
        <a id="address" href={address}>
          {address}
        </a>{" "}
        until <Time at={check.now + KEPT_DAYS * 86_400_000} />, unless {MAX_KEPT} newer results take its place. The
        address says nothing of the PSP, and nobody else can open it.{" "}
        <button type="button" class="quiet" data-copy="address" hidden>
          Copy the address
        </button>
      </p>
      <details>
        <summary>As a call of the API</summary>
        <p>
          <button type="button" class="second" data-copy="curl" hidden>
            Copy as curl
          </button>
        </p>
        <p class="muted small">
          The shell needs <code>CLIENT_SECRET</code>
          {caller === null && (
            <>
              , <code>CLIENT_ID</code> and <code>FI_REFERENCE_ID</code>
            </>
          )}{" "}
          in its environment.{check.at !== check.now && " The API answers as of now."}
        </p>
        <pre id="curl" tabindex={0}>
          {command}
        </pre>
      </details>
      <details>
        <summary>The answer as JSON</summary>
        <p>
          <button type="button" class="second" data-copy="json" hidden>
            Copy the JSON
          </button>
        </p>
        <pre id="json" tabindex={0}>
          {showInvisibleInJson(JSON.stringify(finding.answer, null, 2))}
        </pre>
      </details>
    </section>
  );
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

interface CurlCommand {
  /** Of the service, without a slash at its end. */
  readonly base: string;
  readonly jurisdiction: string;
  /** Null: the reader is an operator, who has no credentials. */
  readonly caller: { readonly clientId: string; readonly fiReferenceId: string } | null;
  /** The header `eidas`. */
  readonly header: string;
}

/** Needs CLIENT_SECRET in the environment; of an operator also CLIENT_ID and FI_REFERENCE_ID. */
function writeCurl({ base, jurisdiction, caller, header }: CurlCommand): string {
  const user = caller ? `${quote(`${caller.clientId}:`)}"$CLIENT_SECRET"` : '"$CLIENT_ID:$CLIENT_SECRET"';
  const reference = caller ? quote(`fi_reference_id: ${caller.fiReferenceId}`) : '"fi_reference_id: $FI_REFERENCE_ID"';
  return [
    `curl ${quote(`${base}/v1/psp/eidas?jurisdiction=${jurisdiction}`)}`,
    `--user ${user}`,
    `--header ${reference}`,
    "--header 'version: latest'",
    `--header ${quote(`eidas: ${header}`)}`,
  ].join(" \\\n  ");
}
