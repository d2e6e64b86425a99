/** What was asked, above every result. */
import type { Child } from "hono/jsx";
import { Fact } from "../fact.tsx";
import { writeTime } from "../times.ts";
import { longCountryName } from "./jurisdictions.ts";
import type { KeptCheck } from "./kept-checks.ts";

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
