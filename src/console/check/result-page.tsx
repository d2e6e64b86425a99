/** /console/check/{id}: what a form found: of one PSP its report, of several a table that leads to each. */

import { CONSOLE_FORMS } from "../../http/endpoints.ts";
import { readKnownCountry } from "../../platform/country.ts";
import { actFor, suggestInstitutions } from "../chosen-institution.tsx";
import { Fact, LinkButton } from "../elements.tsx";
import { EVIDENCE } from "../evidence/evidence-page.tsx";
import { textOf } from "../forms.ts";
import { show } from "../frame.tsx";
import { readFormat, sendList } from "../list-file.tsx";
import type { Page, Visit } from "../page.ts";
import { hasRole, logNameOf, ownerOf, PageProblem, pageNotFound, type Reader } from "../page.ts";
import { ERASED_NAME, findNames, isTag } from "../people/names.ts";
import { refuseRole } from "../refusal.ts";
import { CHECK, READ } from "../roles.ts";
import { FurtherSteps } from "./further-steps.tsx";
import { listJurisdictions } from "./jurisdictions.ts";
import type { CheckResult, Finding } from "./kept-checks.ts";
import { findConsoleCheck, type KeptCheck, keepConsoleCheck } from "./kept-checks.ts";
import { Report } from "./report.tsx";
import { readOrder, resultList } from "./result-rows.ts";
import { linkOfPsp, PspNumber, ResultHeading, showTable } from "./result-table.tsx";
import { checkAgain } from "./run-check.ts";

export const resultPage: Page = {
  path: CONSOLE_FORMS.checkAgain.path,
  menu: null,
  roles: READ,
  get: async (visit) => {
    const check = await findKept(visit);
    const [only, ...more] = check.findings;
    const { as = "", sort } = visit.c.req.query();
    const [format, order] = [readFormat({ as }), readOrder(sort)];
    if (format) return await sendList(visit, await actFor(visit, check.fi ?? ""), resultList(check, order), format);
    return only && more.length === 0 ? showFinding(visit, check, only) : showTable(visit, check, order);
  },
  post: repeat,
  form: CONSOLE_FORMS.checkAgain,
};

/** One of several, by its place in the table, from 1. */
export const oneResultPage: Page = {
  path: "/console/check/{id}/{number}",
  menu: null,
  roles: READ,
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
  if (!isTag(check.by) || reader.kind === "operator") return check;
  const names = await findNames(c.env, reader.fi.id, [{ person: check.by }]);
  return { ...check, by: names.get(check.by) ?? ERASED_NAME };
}

/** The same certificates again, now, and for the country that was chosen. */
async function repeat(visit: Visit<Reader>, form: FormData): Promise<Response> {
  const { c, now, reader } = visit;
  const { findings, fi = null } = await findKept(visit);
  if (!hasRole(reader, CHECK)) throw await refuseRole(visit, { path: CONSOLE_FORMS.checkAgain.path, roles: CHECK });
  const jurisdiction = readKnownCountry(textOf(form, "jurisdiction"));
  if (jurisdiction === null)
    throw new PageProblem({
      status: 400,
      code: "check_form_invalid",
      heading: "No such country",
      text: "Choose the country of the account, and check again.",
    });
  // one that operators made with an earlier release names no institution
  const institution = await actFor(visit, fi ?? "");
  if (!institution && (await suggestInstitutions(c.env.DB)).length > 0)
    throw new PageProblem({
      status: 400,
      code: "check_form_invalid",
      heading: "For which institution?",
      text: "This result does not say for which institution it was checked. Check the certificate again by the form.",
    });
  const results = findings.filter((finding): finding is CheckResult => finding.ok);
  const question = { jurisdiction, at: now, now, bankPassports: institution?.bankPassports ?? null };
  const again = {
    ...{ ...question, by: logNameOf(reader), findings: await checkAgain(c, results, question) },
    fi: institution?.fiReferenceId ?? null,
  };
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
          {hasRole(visit.reader, CHECK) && <LinkButton href={visit.href("/console/check")}>Check another</LinkButton>}
        </>
      ),
    });
  const children = (
    <>
      <ResultHeading check={check}>
        {finding.authNumber !== null && (
          <Fact name="Authorisation number">
            <PspNumber number={finding.authNumber} href={linkOfPsp(visit, check, finding.authNumber)} />
          </Fact>
        )}
        <Fact name="Certificate">{finding.from}</Fact>
        <EvidenceFact visit={visit} check={check} finding={finding} />
      </ResultHeading>
      <Report finding={finding} at={check.at} now={check.now} />
      <FurtherSteps
        visit={visit}
        check={check}
        finding={finding}
        jurisdictions={await listJurisdictions(visit.c.env.KV)}
      />
    </>
  );
  return await show(visit, { title: finding.name ?? "A PSP without a name", children });
}

/** Of a check in an earlier release there is none. */
function EvidenceFact({ visit, check, finding }: { visit: Visit<Reader>; check: KeptCheck; finding: CheckResult }) {
  const { evidenceId } = finding;
  if (evidenceId === undefined || check.fi === null) return null;
  const choice = visit.reader.kind === "operator" ? `?${new URLSearchParams({ fi: check.fi })}` : "";
  return (
    <Fact name="Evidence">
      <a href={visit.href(`${EVIDENCE}/${evidenceId}${choice}`)}>
        <code>{evidenceId}</code>
      </a>
    </Fact>
  );
}
