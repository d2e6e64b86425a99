/** What a form found of several certificates: totals, and a row for each file, which leads to its report. */

import type { Child } from "hono/jsx";
import { parseAuthorisationNumber } from "../../eidas/authorisation-number.ts";
import { Fact, LinkButton, Mark, Time, writeDates } from "../elements.tsx";
import { show } from "../frame.tsx";
import { AsFile } from "../list-file.tsx";
import { hasRole, type Reader, type Visit } from "../page.ts";
import { addressOfPsp } from "../psps/addresses.ts";
import { CHECK } from "../roles.ts";
import { longCountryName } from "./jurisdictions.ts";
import type { KeptCheck } from "./kept-checks.ts";
import { listWhy } from "./report.tsx";
import {
  countResults,
  isValid,
  listRows,
  type Order,
  type ResultRow,
  type SortKey,
  sortRows,
  writeOrder,
} from "./result-rows.ts";

export async function showTable(visit: Visit<Reader>, check: KeptCheck, order: Order | null): Promise<Response> {
  const { href, params } = visit;
  const path = `/console/check/${params["id"]}`;
  const link = (parameters: Readonly<Record<string, string>>) => href(`${path}?${new URLSearchParams(parameters)}`);
  const rows = sortRows(listRows(check), order);
  const children = (
    <>
      <ResultHeading check={check} />
      <TotalsCard check={check} />
      <section class="card">
        <section class="scroll" aria-label="Files, one row each" tabindex={0}>
          <table>
            <thead>
              <tr>
                {COLUMNS.map(([by, name]) => (
                  <th scope="col" aria-sort={sortedAs(by, order)}>
                    <a href={link({ sort: writeOrder(by, order) })}>
                      {name} {order?.by === by && <span aria-hidden="true">{order.descending ? "↓" : "↑"}</span>}
                    </a>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Row
                  row={row}
                  href={href(`${path}/${row.number}`)}
                  psp={linkOfPsp(visit, check, row.finding.ok ? row.finding.authNumber : null)}
                />
              ))}
            </tbody>
          </table>
        </section>
        <AsFile
          link={(as) => link({ ...(order && { sort: `${order.descending ? "-" : ""}${order.by}` }), ...as })}
          what="results"
        />
      </section>
      {hasRole(visit.reader, CHECK) && <LinkButton href={href("/console/check")}>Check others</LinkButton>}
    </>
  );
  return await show(visit, { title: `${rows.length} ${rows.length === 1 ? "file" : "files"}`, children });
}

const COLUMNS: readonly (readonly [SortKey, string])[] = [
  ["psp", "PSP"],
  ["number", "Number"],
  ["file", "File"],
  ["certificate", "Certificate"],
  ["payments", "Initiate payments"],
  ["accounts", "Read accounts"],
];

const sortedAs = (by: SortKey, order: Order | null) =>
  order?.by !== by ? undefined : order.descending ? "descending" : "ascending";

function TotalsCard({ check }: { check: KeptCheck }) {
  const { files, certificates, valid, payments, accounts, unchecked } = countResults(check);
  const of = (number: number) => `${number} of ${certificates}`;
  return (
    <section class="card" aria-labelledby="totals">
      <h2 id="totals">
        {files} files, {certificates} different {certificates === 1 ? "certificate" : "certificates"} checked
      </h2>
      <dl class="facts">
        <Fact name="Valid">{of(valid)}</Fact>
        <Fact name="May initiate payments">{of(payments)}</Fact>
        <Fact name="May read accounts">{of(accounts)}</Fact>
        {unchecked > 0 && (
          <Fact name="Not checked">
            <Mark state="warn">{unchecked === 1 ? "1 file" : `${unchecked} files`}</Mark>
          </Fact>
        )}
      </dl>
    </section>
  );
}

const ANSWERS = { yes: "Yes", no: "No", unknown: "Unknown" } as const;

/** Why not stands in a row of its own, below; of a copy the row says whose. */
function Row({ row: { finding, file, copyOf }, href, psp }: { row: ResultRow; href: string; psp: string | null }) {
  if (!finding.ok)
    return (
      <tr>
        <th scope="row">
          <Mark state="warn">Not checked</Mark>
        </th>
        <td>–</td>
        <td class="file text">{file}</td>
        <td colspan={3}>{finding.message}</td>
      </tr>
    );
  const valid = isValid(finding);
  const why = listWhy(finding.report);
  return (
    <>
      <tr>
        <th scope="row">
          <a href={href}>
            {finding.name ?? "A PSP without a name"} <span class="out">in {file}</span>
          </a>
        </th>
        <td>
          <PspNumber number={finding.authNumber} href={psp} />
        </td>
        <td class="file text">
          {file}
          {copyOf !== null && <span class="muted"> the same certificate as in {copyOf}</span>}
        </td>
        <td>
          <Mark state={valid ? "yes" : "no"}>{valid ? "Valid" : "Not valid"}</Mark>
        </td>
        {finding.report.decision.map(({ answer }) => (
          <td>
            <Mark state={answer}>{ANSWERS[answer]}</Mark>
          </td>
        ))}
      </tr>
      {why.length > 0 && copyOf === null && (
        <tr class="more">
          <td colspan={COLUMNS.length}>Why not: {writeDates(why.join(" "))}</td>
        </tr>
      )}
    </>
  );
}

/** Where the PSP of a finding has its page; null: its certificate has no number of a PSP. */
export function linkOfPsp(
  { reader, href }: Visit<Reader>,
  { fi }: KeptCheck,
  authNumber: string | null,
): string | null {
  const number = parseAuthorisationNumber(authNumber ?? "");
  const choice = reader.kind === "operator" && fi ? `?${new URLSearchParams({ fi })}` : "";
  return number.ok ? href(`${addressOfPsp(number.pspId)}${choice}`) : null;
}

export const PspNumber = ({ number, href }: { number: string | null; href: string | null }) =>
  number === null ? (
    <>–</>
  ) : href === null ? (
    <code>{number}</code>
  ) : (
    <a href={href}>
      <code>{number}</code>
    </a>
  );

export const ResultHeading = ({ check, children }: { check: KeptCheck; children?: Child }) => (
  <dl class="facts">
    {children}
    <Fact name="Country of the account">{longCountryName(check.jurisdiction)}</Fact>
    {check.at !== check.now && (
      <Fact name="As of">
        <b>
          <Time at={check.at} />
        </b>
        , by what was known when checked
      </Fact>
    )}
    <Fact name="Checked">
      <Time at={check.now} /> by {check.by}
    </Fact>
  </dl>
);
