/** The same statements over a table of 1,000 tokens and over one of 10,000,000. */
import { writeAccessToken } from "../../src/grants/token-texts.ts";
import type { Comparison, Group } from "./group.ts";
import type { Call, Route } from "./load.ts";
import { seededAccount, seededId, TABLES, type TableName } from "./seed-tokens.ts";
import type { Setting } from "./setting.ts";

/** Enough that the table's pages are asked for all over. */
const DIFFERENT_CALLS = 5_000;

export function tokensGroup(setting: Setting): Group {
  const pairs = [listRoute, readRoute, insertRoute].map((make): Comparison => {
    return { of: make(setting, "tenMillion"), to: make(setting, "thousand"), goal: { atMost: 1.5 } };
  });
  return {
    title: "1,000 tokens and 10,000,000",
    steps: pairs.map(({ of, to }) => [to, of]),
    comparisons: pairs,
    notes: ["Both tables hold ten tokens an account; list and information ask all over the table."],
  };
}

const callsAllOver = (table: TableName, make: (index: number) => Call): Call[] => {
  const rows = TABLES[table];
  // a stride that is prime to the rows
  return Array.from({ length: DIFFERENT_CALLS }, (_, i) => make((i * 7_919) % rows));
};

const listRoute = ({ tables, identity }: Setting, table: TableName): Route => ({
  name: `token list, ${table}`,
  url: tables[table],
  method: "GET",
  status: 200,
  calls: callsAllOver(table, (index) => ({
    path: `/v1/oauth2/account/${seededAccount(TABLES[table], index)}/tokens`,
    headers: identity,
  })),
});

const readRoute = ({ tables, identity, keys, fiId }: Setting, table: TableName): Route => ({
  name: `token information, ${table}`,
  url: tables[table],
  method: "GET",
  status: 200,
  calls: callsAllOver(table, (index) => ({
    path: `/v1/oauth2/tokens/${writeAccessToken(keys.newest, fiId, seededId(index))}`,
    headers: identity,
  })),
});

/** What was inserted in the turn before is taken out again: a table of a thousand stays one. */
const insertRoute = ({ bare, identity }: Setting, table: TableName): Route => {
  const headers = { ...identity, "bench-table": table };
  return {
    name: `token insert, ${table}`,
    url: bare,
    method: "POST",
    status: 201,
    calls: [{ path: "/rows", headers }],
    before: async () => {
      await fetch(`${bare}/rows/restore`, { method: "POST", headers });
    },
  };
};
