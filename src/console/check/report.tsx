/** The report on one PSP: everything that a check found, with what to do. */
import type { Child } from "hono/jsx";
import { REFUSING } from "../../eidas/verdict-codes.ts";
import { VERDICTS } from "../../eidas/verdicts.ts";
import type { Instant } from "../../platform/instant.ts";
import type { PspReport, ServiceRow } from "../../psp-check/psp-report.ts";
import type { Remark, Verdict } from "../../psp-check/sentences.ts";
import { type RegisterSource, SOURCES } from "../../registers/sources.ts";
import { Code, Mark, RowTable, type State, writeDates } from "../elements.tsx";
import type { CheckResult } from "./kept-checks.ts";
import { PathPicture } from "./path-picture.tsx";
import { TimeLine } from "./time-line.tsx";

const Card = ({ title, children }: { title: string; children?: Child }) => (
  <section class="card">
    <h2>{title}</h2>
    {children}
  </section>
);

const Remarks = ({ remarks }: { remarks: readonly Remark[] }) => (
  <ul class="remarks">
    {remarks.map(({ sentence, cure, code }) => (
      <li>
        {writeDates(sentence)} <Code>{code}</Code>
        <br />
        <b>What to do:</b> {cure}
      </li>
    ))}
  </ul>
);

/** In the box of each scope that they refuse: the verdict and why. What to do is said once, with the verdicts. */
const RefusedBy = ({ verdicts }: { verdicts: readonly Verdict[] }) => (
  <ul class="remarks">
    {verdicts.map(({ field, sentence, reasons }) => (
      <li>
        <b>{writeDates(sentence)}</b> <Code>{field}</Code>
        {reasons.map((reason) => (
          <>
            <br />
            {writeDates(reason.sentence)}
          </>
        ))}
      </li>
    ))}
  </ul>
);

const WORDS: Readonly<Record<Exclude<State, "ended">, string>> = {
  yes: "Yes",
  no: "No",
  warn: "Look at this",
  unknown: "Unknown",
};
const SCOPES = { payments: "Initiate payments", accounts: "Read accounts" } as const;

export function Report({ finding, at, now }: { finding: CheckResult; at: Instant; now: Instant }) {
  const { report, answer } = finding;
  const { validQTSP, validSignature } = answer.eIDAS.validity;
  const refusing = listRefusing(report);
  return (
    <>
      <div class="columns">
        {report.decision.map(({ scope, answer, sentence, reasons }) => (
          <section class={`notice ${answer}`}>
            <h2>
              {SCOPES[scope]} <Mark state={answer}>{WORDS[answer]}</Mark>
            </h2>
            <p>{sentence}</p>
            {answer !== "yes" && refusing.length > 0 && <RefusedBy verdicts={refusing} />}
            {reasons.length > 0 && <Remarks remarks={reasons} />}
          </section>
        ))}
      </div>
      <div class="flow">
        <Card title="Is its certificate valid?">
          <dl class="answers">
            {report.verdicts.map(({ field, good, sentence, reasons }) => (
              <>
                <dt>
                  <span>
                    {VERDICTS[field].name} <Code>{field}</Code>
                  </span>
                  <Mark state={good ? "yes" : "no"}>{good ? "Yes" : "No"}</Mark>
                </dt>
                <dd>
                  {writeDates(sentence)}
                  {reasons.length > 0 && <Remarks remarks={reasons} />}
                </dd>
              </>
            ))}
          </dl>
        </Card>
        {report.warnings.length > 0 && (
          <Card title={`Warnings (${report.warnings.length})`}>
            <Remarks remarks={report.warnings} />
          </Card>
        )}
        <Card title="From the PSP to the trusted list">
          <PathPicture finding={finding} good={validQTSP && validSignature} />
        </Card>
        <Card title="In time">
          <TimeLine finding={finding} at={at} now={now} />
        </Card>
        <Card title="Payment services">
          <Services rows={report.services} />
        </Card>
        <Card title="Who it is">
          <p>{report.identity.join(" ")}</p>
          {report.registers.map(({ title, lines }) => (
            <>
              <h3>{title}</h3>
              <ul>
                {lines.map((line) => (
                  <li>{line}</li>
                ))}
              </ul>
            </>
          ))}
        </Card>
        <Card title="What the answer is based on">
          {report.sources.length === 0 ? (
            <p>No source is loaded that knows of this certificate or its PSP.</p>
          ) : (
            <dl class="answers">
              {report.sources.map(({ name, sentence, stale }) => (
                <>
                  <dt>
                    {nameSource(name)} <Mark state={stale ? "warn" : "yes"}>{stale ? "Stale" : "Fresh"}</Mark>
                  </dt>
                  <dd>{sentence}</dd>
                </>
              ))}
            </dl>
          )}
        </Card>
      </div>
    </>
  );
}

/** A register by its title, of which the answer has the code. */
const nameSource = (name: string): string =>
  name.replace(/^(\S+) register of /, (all, source) =>
    Object.hasOwn(SOURCES, source) ? `${SOURCES[source as RegisterSource].title} of ` : all,
  );

/** Roles on the certificate beside what the home register gives, and beside passports. */
function Services({ rows }: { rows: readonly ServiceRow[] }) {
  const abroad = rows.some(({ passported }) => passported !== null);
  return (
    <RowTable label="Services" heads={["Service", "Certificate", "Home register", ...(abroad ? ["Passport"] : [])]}>
      {rows.map(({ service, name, onCertificate, atHome, passported }) => (
        <tr>
          <th scope="row">
            {service} <span class="muted">{name}</span>
          </th>
          <Has has={onCertificate} />
          <Has has={atHome} />
          {abroad && <Has has={passported} />}
        </tr>
      ))}
    </RowTable>
  );
}

/** Null: nobody could look. */
const Has = ({ has }: { has: boolean | null }) => {
  const state = has === null ? "unknown" : has ? "yes" : "no";
  return (
    <td>
      <Mark state={state}>{WORDS[state]}</Mark>
    </td>
  );
};

/** The verdicts that are no. */
const listRefusing = ({ verdicts }: PspReport): Verdict[] =>
  REFUSING.flatMap((name) => verdicts.filter(({ field, good }) => field === name && !good));

/** The sentences of a row: the first reason of a certificate that is not accepted, else each reason of a scope once. */
export function listWhy(report: PspReport): string[] {
  const [first] = listRefusing(report);
  if (first) return [first.reasons[0]?.sentence ?? first.sentence];
  return [...new Set(report.decision.flatMap(({ reasons }) => reasons.map(({ sentence }) => sentence)))];
}
