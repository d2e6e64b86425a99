/** What a form found of several certificates: a row for each, which leads to its report. */

import type { Child } from "hono/jsx";
import { Fact, Mark } from "../elements.tsx";
import { show } from "../frame.tsx";
import type { Reader, Visit } from "../page.ts";
import { writeDates, writeTime } from "../wording.ts";
import { longCountryName } from "./jurisdictions.ts";
import type { Finding, KeptCheck } from "./kept-checks.ts";
import { listWhy } from "./report.tsx";

export async function showTable(visit: Visit<Reader>, check: KeptCheck): Promise<Response> {
  const { href, params } = visit;
  const children = (
    <>
      <ResultHeading check={check} />
      <section class="card">
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">PSP</th>
                <th scope="col">Certificate</th>
                <th scope="col">Initiate payments</th>
                <th scope="col">Read accounts</th>
                <th scope="col">Why not</th>
              </tr>
            </thead>
            <tbody>
              {check.findings.map((finding, i) => (
                <Row finding={finding} href={href(`/console/check/${params["id"]}/${i + 1}`)} />
              ))}
            </tbody>
          </table>
        </div>
      </section>
      <p class="no-print">
        <a class="button second" href={href("/console/check")}>
          Check others
        </a>
      </p>
    </>
  );
  return await show(visit, { title: `${check.findings.length} certificates`, children });
}

const ANSWERS = { yes: "Yes", no: "No", unknown: "Unknown" } as const;

function Row({ finding, href }: { finding: Finding; href: string }) {
  if (!finding.ok)
    return (
      <tr>
        <th scope="row">
          <Mark state="warn">Not checked</Mark>
        </th>
        <td colspan={4}>
          {finding.from}: {finding.message}
        </td>
      </tr>
    );
  const valid = finding.report.verdicts.every(({ good }) => good);
  const why = listWhy(finding.report);
  return (
    <tr>
      <th scope="row">
        <a href={href}>{finding.name ?? "A PSP without a name"}</a>
        <br />
        <span class="file muted">{finding.from}</span>
      </th>
      <td>
        <Mark state={valid ? "yes" : "no"}>{valid ? "Valid" : "Not valid"}</Mark>
      </td>
      {finding.report.decision.map(({ answer }) => (
        <td>
          <Mark state={answer}>{ANSWERS[answer]}</Mark>
        </td>
      ))}
      <td class="text">
        {why.length === 0
          ? "–"
          : why.map((sentence, i) => (
              <>
                {i > 0 && <br />}
                {writeDates(sentence)}
              </>
            ))}
      </td>
    </tr>
  );
}

export const ResultHeading = ({ check, children }: { check: KeptCheck; children?: Child }) => (
  <dl class="facts">
    {children}
    <Fact name="Country of the account">{longCountryName(check.jurisdiction)}</Fact>
    {check.at !== check.now && (
      <Fact name="As of">
        <b>{writeTime(check.at)}</b>, by what was known when checked
      </Fact>
    )}
    <Fact name="Checked">
      {writeTime(check.now)} by {check.by}
    </Fact>
  </dl>
);
