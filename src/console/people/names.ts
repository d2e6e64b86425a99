/** Who did something, for pages: records name people by tags, and the institution's list of people has their names. */
import { type Act, actorOf } from "../../evidence/ledger/act-index.ts";
import type { LedgerEntry } from "../../evidence/ledger/record.ts";
import { listNames } from "../../institutions/people.ts";

type Signed = Pick<LedgerEntry, "client" | "operator" | "person">;
/** By tag. */
export type Names = ReadonlyMap<string, string>;

export const ERASED_NAME = "a person whose name was erased";

/** A tag: nothing else that says who it was has its form (institutions/people.ts). */
export const isTag = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** The names of those who signed these, as far as they are not erased. Throws StoreError. */
export const findNames = (
  { DB }: Pick<Env, "DB">,
  fiId: number,
  signed: readonly (Signed | { readonly person: string | null })[],
): Promise<Names> => listNames(DB, fiId, [...new Set(signed.flatMap(({ person }) => person ?? []))]);

/** Of those who did these, and of those to whom they were done. Throws StoreError. */
export const findActNames = (env: Pick<Env, "DB">, fiId: number, acts: readonly Act[], who = ""): Promise<Names> =>
  findNames(env, fiId, [
    ...acts.flatMap(({ person = null, about = "" }) => [{ person }, { person: isTag(about) ? about : null }]),
    { person: who },
  ]);

/** Null of what the API was asked for. */
export const describeActor = (signed: Signed, names: Names): string | null =>
  actorOf(signed) === null
    ? null
    : signed.person === undefined
      ? (signed.client ?? signed.operator ?? "")
      : (names.get(signed.person) ?? ERASED_NAME);
