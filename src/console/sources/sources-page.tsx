/** /console/sources: what the service knows, how old it is, and what is wrong: the readings of GET /status. */
import { PSD2_COUNTRIES } from "../../country.ts";
import { readSources } from "../../refresh/status.ts";
import { Age } from "../age.tsx";
import { longCountryName } from "../check/jurisdictions.ts";
import { show } from "../frame.tsx";
import { Mark } from "../mark.tsx";
import type { Page, Visit } from "../page.ts";
import type { Reader } from "../reader.ts";
import { CountryGrid } from "./country-grid.tsx";
import { SourceTable } from "./source-table.tsx";
import { byCountry } from "./standing.ts";

export const sourcesPage: Page = { path: "/console/sources", menu: "Sources", for: "readers", get: showSources };

/** The 30 of the EEA: the United Kingdom has a tile if it has a source, as any other country. */
export const EEA: readonly string[] = PSD2_COUNTRIES.filter((country) => country !== "GB").sort((a, b) =>
  longCountryName(a).localeCompare(longCountryName(b), "en"),
);

async function showSources(visit: Visit<Reader>): Promise<Response> {
  const { c, now } = visit;
  const { status, changes } = await readSources(c.env, now);
  const { reasons, trustedLists, registers, crls } = status;
  const countries = byCountry(EEA, trustedLists, registers);
  const children = (
    <>
      <section class={`notice ${reasons.length === 0 ? "yes" : "no"}`} aria-label="Summary">
        {reasons.length === 0 ? (
          <Mark state="yes">All that is loaded is current</Mark>
        ) : (
          <>
            <Mark state="no">
              {reasons.length === 1 ? "One thing needs care" : `${reasons.length} things need care`}
            </Mark>
            <ul>
              {reasons.map(({ message }) => (
                <li>{message}</li>
              ))}
            </ul>
          </>
        )}
      </section>
      <section class="card">
        <h2>Countries</h2>
        <CountryGrid countries={countries} now={now} />
      </section>
      <section class="card">
        <h2 id="lists">Trusted lists</h2>
        <p class="muted">They say which QTSPs may issue the certificates of PSPs. Changes are counted in CAs.</p>
        <SourceTable
          name="Trusted lists"
          kind="list"
          sources={trustedLists}
          changes={changes}
          now={now}
          counted={[
            ["Issue", (list) => list.sequenceNumber],
            ["CA certificates", (list) => list.anchors],
          ]}
        />
      </section>
      <section class="card">
        <h2 id="registers">Registers</h2>
        <p class="muted">They say which services a PSP is authorised for, and where. Changes are counted in PSPs.</p>
        <SourceTable
          name="Registers"
          kind="register"
          sources={registers}
          changes={changes}
          now={now}
          counted={[
            ["PSPs", (register) => register.psps],
            ["Agents", (register) => register.agents],
            ["Unreadable", (register) => register.refused],
          ]}
        />
      </section>
      <section class="card">
        <h2>Revocation lists</h2>
        <p>
          {count(crls.loaded)} kept
          {crls.nextUpdate !== null && (
            <>
              ; the first ends <Age time={crls.nextUpdate} now={now} />
            </>
          )}
          {crls.refresh?.checkedAt && (
            <>
              ; checked <Age time={crls.refresh.checkedAt} now={now} />
            </>
          )}
          .
        </p>
        {crls.refresh?.lastError && (
          <p class="notice warn">
            <span>
              Refresh {crls.refresh.failures} failed <Age time={crls.refresh.lastError.at} now={now} />:{" "}
              {crls.refresh.lastError.message}
            </span>
          </p>
        )}
      </section>
    </>
  );
  return await show(visit, { title: "Sources", children });
}

const count = (number: number): string => number.toLocaleString("en");
