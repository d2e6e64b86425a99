/** /console/check/{id}: what a form found: of one PSP its report, of several a table that leads to each. */
import type { Child } from "hono/jsx";
import { baseUrl } from "../../base-url.ts";
import { readKnownCountry } from "../../country.ts";
import { showInvisibleInJson } from "../../quotation.ts";
import { textOf } from "../form-body.ts";
import { FormToken, show } from "../frame.tsx";
import { Mark } from "../mark.tsx";
import type { Page, Visit } from "../page.ts";
import { PageProblem, pageNotFound } from "../page-problem.ts";
import { nameOf, ownerOf, type Reader } from "../reader.ts";
import { writeTime } from "../times.ts";
import { writeCurl } from "./curl.ts";
import type { Finding, Found } from "./finding.ts";
import { type Jurisdiction, listJurisdictions, longCountryName } from "./jurisdictions.ts";
import { findConsoleCheck, KEPT_DAYS, type KeptCheck, keepConsoleCheck, MAX_KEPT } from "./kept-checks.ts";
import { Report } from "./report.tsx";
import { checkAgain } from "./run-check.ts";

export const resultPage: Page = {
  path: "/console/check/{id}",
  menu: null,
  for: "readers",
  get: async (visit) => {
    const check = await findKept(visit);
    const [only, ...more] = check.findings;
    return only && more.length === 0 ? showFinding(visit, check, only) : showTable(visit, check);
  },
  post: repeat,
};

/** One of several, by its place in the table, from 1. */
export const oneResultPage: Page = {
  path: "/console/check/{id}/{number}",
  menu: null,
  for: "readers",
  get: async (visit) => {
    const check = await findKept(visit);
    const finding = check.findings[Number(visit.params["number"]) - 1];
    if (!finding) throw pageNotFound();
    return showFinding(visit, check, finding);
  },
};

async function findKept({ c, now, reader, params }: Visit<Reader>): Promise<KeptCheck> {
  const check = await findConsoleCheck(c.env.DB, ownerOf(reader), params["id"] ?? "", now);
  if (!check) throw pageNotFound();
  return check;
}

/** The same certificates again, now, and for the country that was chosen. */
async function repeat(visit: Visit<Reader>, form: FormData): Promise<Response> {
  const { c, now, reader } = visit;
  const { findings } = await findKept(visit);
  const jurisdiction = readKnownCountry(textOf(form, "jurisdiction"));
  if (jurisdiction === null)
    throw new PageProblem({
      status: 400,
      code: "check_form_invalid",
      heading: "No such country",
      text: "Choose the country of the account, and check again.",
    });
  const found = findings.filter((finding): finding is Found => finding.ok);
  const question = { jurisdiction, at: now, now };
  const again = { ...question, by: nameOf(reader), findings: await checkAgain(c, found, question) };
  const id = await keepConsoleCheck(c.env.DB, ownerOf(reader), again);
  return c.redirect(visit.href(`/console/check/${id}`), 303);
}

async function showFinding(visit: Visit<Reader>, check: KeptCheck, finding: Finding): Promise<Response> {
  if (!finding.ok)
    return await show(visit, {
      title: "This could not be checked",
      children: (
        <>
          <p class="notice no">
            <span>
              <b>{finding.from}</b>: {finding.message}
            </span>
          </p>
          <p>
            <a href={visit.href("/console/check")}>Check another</a>
          </p>
        </>
      ),
    });
  const children = (
    <>
      <Heading check={check}>
        {finding.authNumber !== null && (
          <Fact name="Authorisation number">
            <code>{finding.authNumber}</code>
          </Fact>
        )}
        <Fact name="Certificate">{finding.from}</Fact>
      </Heading>
      <Report finding={finding} at={check.at} now={check.now} />
      <Further visit={visit} check={check} finding={finding} jurisdictions={await listJurisdictions(visit.c.env.KV)} />
    </>
  );
  return await show(visit, { title: finding.name ?? "A PSP without a name", children });
}

/** What was asked, for every result. */
const Heading = ({ check, children }: { check: KeptCheck; children?: Child }) => (
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

const Fact = ({ name, children }: { name: string; children?: Child }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** What can be done with a result: share, print, repeat, and see it as a program does. */
function Further({
  visit,
  check,
  finding,
  jurisdictions,
}: {
  visit: Visit<Reader>;
  check: KeptCheck;
  finding: Found;
  jurisdictions: readonly Jurisdiction[];
}) {
  const { c, reader, href, params } = visit;
  const base = baseUrl(c.env.BASE_URL, c.req.url);
  const caller =
    reader.kind === "institution" ? { clientId: reader.clientId, fiReferenceId: reader.fi.fiReferenceId } : null;
  const command = writeCurl({ base, jurisdiction: check.jurisdiction, caller, header: finding.certificate.header });
  const address = `${base}${c.req.path}`;
  return (
    <section class="card no-print">
      <h2>Go on</h2>
      <div class="row">
        <form method="post" action={href(`/console/check/${params["id"]}`)} class="row">
          <FormToken visit={visit} />
          <label class="field">
            Check again, for
            <select name="jurisdiction">
              {jurisdictions.map(({ code, name }) => (
                <option value={code} selected={code === check.jurisdiction}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <button type="submit" class="second">
            Check again
          </button>
        </form>
        <a class="button second" href={href("/console/check")}>
          Check another
        </a>
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
        until {writeTime(check.now + KEPT_DAYS * 86_400_000)}, unless {MAX_KEPT} newer results take its place. The
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

async function showTable(visit: Visit<Reader>, check: KeptCheck): Promise<Response> {
  const { href, params } = visit;
  const children = (
    <>
      <Heading check={check} />
      <section class="card">
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">PSP</th>
                <th scope="col">Certificate</th>
                <th scope="col">Initiate payments</th>
                <th scope="col">Read accounts</th>
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
        <td colspan={3}>
          {finding.from}: {finding.message}
        </td>
      </tr>
    );
  const valid = finding.report.verdicts.every(({ good }) => good);
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
    </tr>
  );
}
