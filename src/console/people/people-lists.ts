/** People, and what they did, as files have them, one row each. */
import { type Act, type ActPage, type ActQuery, actorOf } from "../../evidence/ledger/act-index.ts";
import { askLedger } from "../../evidence/ledger/ask-ledger.ts";
import { type ListedPerson, listPeople, MAX_LISTED_PEOPLE } from "../../institutions/people.ts";
import { nameRecord } from "../evidence/record-words.ts";
import { type ListFile, members, PART_RECORDS, writeInstant } from "../list-file.tsx";
import { describeAbout } from "./about.ts";
import { describeActor, findActNames, type Names } from "./names.ts";

/** By tag: who signs in meanwhile keeps the place. */
export const personList = (db: D1Database, fiId: number): ListFile<ListedPerson> => ({
  name: "people",
  columns: {
    ...members("tag", "name", "issuer"),
    roles: ({ roles }) => roles.join(" "),
    first_sign_in: ({ firstAt }) => writeInstant(firstAt),
    last_sign_in: ({ lastAt }) => writeInstant(lastAt),
  },
  read: async ({ after = "" }) => {
    const rows = await listPeople(db, fiId, after);
    return { rows, next: rows.length < MAX_LISTED_PEOPLE ? null : { after: rows.at(-1)?.tag ?? "" } };
  },
});

type Row = Act & { readonly names: Names };

export const actList = (env: Env, fiId: number, query: Omit<ActQuery, "before" | "limit">): ListFile<Row> => ({
  name: "acts",
  columns: {
    ...members("time", "id"),
    who: (act) => describeActor(act, act.names),
    signature: actorOf,
    ...members("event"),
    what: nameRecord,
    ...members("psp"),
    about: (act) => describeAbout(act, act.names),
    ...members("outcome", "status"),
  },
  read: async ({ before }) => {
    const asked = { ...query, before: readActPosition(before), limit: PART_RECORDS };
    const { acts, next } = await askLedger(env, fiId, (ledger): Promise<ActPage> => ledger.acts(asked));
    const names = await findActNames(env, fiId, acts);
    return { rows: acts.map((act) => ({ ...act, names })), next: next && { before: writeActPosition(next) } };
  },
});

type Position = NonNullable<ActQuery["before"]>;

/** As in the address of the next page. */
export const writeActPosition = ({ time, seq }: Position): string => `${time}-${seq}`;

export function readActPosition(text = ""): Position | null {
  const [, time, seq] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  return time === undefined ? null : { time: Number(time), seq: Number(seq) };
}
