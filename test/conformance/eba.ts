/**
 * Dated authorisations of the EBA's register: each case names an entity and a day. The entity is open or withdrawn on
 * that day, by its record in the golden copy that lies beside the cases.
 */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { readEbaRecord } from "../../src/registers/import/eba-record.ts";
import { statusAt } from "../../src/registers/status.ts";
import type { CaseAnswer, SuiteKind } from "./suite.ts";

const GOLDEN_COPY = "psd2_golden_copy_sample.json";

const entry = z.object({
  EntityCode: z.string(),
  EntityType: z.string(),
  as_of: z.iso.date(),
  expected: z.enum(["open", "withdrawn"]),
});
const suite = z.object({ cases: z.array(entry).min(1) });

type Entry = z.infer<typeof entry>;

export const ebaSuites: SuiteKind = {
  name: "EBA authorisations",
  recognises: ({ json }) => z.object({ cases: z.array(z.object({ EntityCode: z.string() })) }).safeParse(json).success,
  read: ({ path, json }) =>
    suite.parse(json).cases.map((each) => ({
      id: `${each.EntityType} ${each.EntityCode} ${each.as_of}`,
      expected: each.expected,
      expectsAccept: each.expected === "open",
      run: () => runCase(join(dirname(path), GOLDEN_COPY), each),
    })),
};

const goldenCopy = z.array(z.array(z.record(z.string(), z.unknown())));

async function runCase(path: string, { EntityCode, EntityType, as_of }: Entry): Promise<CaseAnswer> {
  const records = goldenCopy.parse(JSON.parse(await readFile(path, "utf8"))).flat();
  const found = records.find((record) => record["EntityCode"] === EntityCode && record["EntityType"] === EntityType);
  const record = readEbaRecord(found);
  if (record.kind !== "institution") throw new Error(`${path} has no institution ${EntityType} ${EntityCode}`);
  const { category, days } = record;
  const status = statusAt(
    { agent: false, authNumber: record.authNumbers[0] ?? "" },
    { category, status: days, legalName: "", services: [], passportOut: {} },
    Date.parse(as_of),
  );
  const accepted = status === "Authorised" || status === "Registered";
  return { accepted, actual: accepted ? "open" : "withdrawn", reason: `status ${status}`, notApplicable: null };
}
