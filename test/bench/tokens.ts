/** The same statements over a table of 1,000 tokens and over one of 1,000,000 (issue: "Stores"). */

import { writeAccessToken } from "../../src/grants/access-token.ts";
import type { Comparison, Group } from "./comparison.ts";
import { CALLS_PER_TURN, type Call, type Route } from "./load.ts";
import { seededAccount, seededId, TABLES, type TableName } from "./seed-tokens.ts";
import type { Setting } from "./setting.ts";

/** Enough that the table's pages are asked for all over. */
const DIFFERENT_CALLS = 5_000;

export function tokensGroup(setting: Setting): Group {
  const pairs = [listRoute, readRoute, insertRoute].map((make): Comparison => {
    return { of: make(setting, "thousand"), to: make(setting, "million"), target: null };
  });
  return {
    title: "1,000 tokens and 1,000,000",
    routes: pairs.flatMap(({ of, to }) => [of, to]),
    comparisons: pairs.map(({ of, to }) => ({ of: to, to: of, target: { atMost: 1.5 } })),
    notes: ["Both tables hold ten tokens an account; list and information ask all over the table."],
  };
}

const callsAllOver = (table: TableName, make: (index: number) => Call): Call[] => {
  const rows = TABLES[table];
  // a stride that is prime to the rows
  return Array.from({ length: DIFFERENT_CALLS }, (_, i) => make((i * 7_919) % rows));
};

const listRoute = ({ identity }: Setting, table: TableName): Route => ({
  name: `token list, ${table}`,
  method: "GET",
  status: 200,
  calls: callsAllOver(table, (index) => ({
    path: `/v1/oauth2/account/${seededAccount(TABLES[table], index)}/tokens`,
    headers: { ...identity, "bench-table": table },
  })),
});

const readRoute = ({ identity, keys, fiId }: Setting, table: TableName): Route => ({
  name: `token information, ${table}`,
  method: "GET",
  status: 200,
  calls: callsAllOver(table, (index) => ({
    path: `/v1/oauth2/tokens/${writeAccessToken(keys.newest, fiId, seededId(index))}`,
    headers: { ...identity, "bench-table": table },
  })),
});

/** What was inserted in the turn before is taken out again: a table of a thousand stays one. */
const insertRoute = ({ url, identity }: Setting, table: TableName): Route => {
  const headers = { ...identity, "bench-table": table };
  return {
    name: `token insert, ${table}`,
    method: "POST",
    status: 201,
    calls: async () => {
      await fetch(`${url}/rows/restore`, { method: "POST", headers });
      return Array.from({ length: CALLS_PER_TURN }, () => ({ path: "/rows", headers }));
    },
  };
};
