/**
 * Who publishes the list of lists, and one national list, which names the QTSP of qtsp.ts. It withdraws and grants its service,
 * drops the national list and names it again, and has it signed by another.
 */
import {
  COUNTRY,
  type Issue,
  LIST_OF_LISTS,
  locationOf,
  type Period,
  signIssue,
  type Territory,
} from "./signed-issues.ts";

const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;

/** Since before the QTSP's certificates begin. */
const GRANTED_MS = 366 * DAY_MS;
const ISSUED_MS = 30 * DAY_MS;

type Shared = Pick<Issue, "number" | "issuedAt">;

/** What both lists are when a history begins. */
export function firstIssues(start: number): readonly [listOfLists: Issue, national: Issue] {
  const shared: Shared = { number: 7, issuedAt: start - ISSUED_MS };
  const periods: Issue["periods"] = [{ status: "granted", from: start - GRANTED_MS }];
  return [
    { ...shared, territory: LIST_OF_LISTS, signer: "list of lists", names: "first", periods },
    { ...shared, territory: COUNTRY, signer: "first", names: null, periods },
  ];
}

export const LIST_CHANGES = ["service", "signer", "pointer", "anew"] as const;
export type ListChange = (typeof LIST_CHANGES)[number];

/** What an address has, and the issue that it is; null: it is none of the publisher's. */
export interface Published {
  readonly der: Uint8Array<ArrayBuffer>;
  readonly issue: Issue | null;
}

/** In one history. */
export class ListPublisher {
  /** In their order. */
  readonly issues: Issue[];
  readonly #now: () => number;

  constructor(start: number, now: () => number) {
    this.issues = [...firstIssues(start)];
    this.#now = now;
  }

  get hasChanged(): boolean {
    return this.issues.length > 2;
  }

  newest(territory: Territory): Issue {
    const found = this.issues.findLast((issue) => issue.territory === territory);
    if (!found) throw new Error(`no list for ${territory}`);
    return found;
  }

  /** The publisher's own issue of this number and date. */
  find(territory: string, number: number, issuedAt: string): Issue | undefined {
    return this.issues.find(
      (issue) => issue.territory === territory && issue.number === number && issue.issuedAt === Date.parse(issuedAt),
    );
  }

  change(what: ListChange): void {
    const [listOfLists, national] = [this.newest(LIST_OF_LISTS), this.newest(COUNTRY)];
    if (what === "service") this.#issue(national, { periods: [this.#opposite(national), ...national.periods] });
    if (what === "signer") {
      const signer = national.signer === "first" ? "second" : "first";
      this.#issue(listOfLists, { names: listOfLists.names && signer });
      this.#issue(national, { signer });
    }
    if (what === "pointer") this.#issue(listOfLists, { names: listOfLists.names === null ? national.signer : null });
    if (what === "anew") this.#issue(listOfLists, {});
  }

  /** What the address has, as of `late` issues ago. Null: it has nothing. */
  answer(url: string, late: number): Published | null {
    const territory = territoryAt(url);
    if (!territory) return null;
    const all = this.issues.filter((issue) => issue.territory === territory);
    const issue = all[Math.max(0, all.length - 1 - late)];
    return issue ? { der: signIssue(issue), issue } : null;
  }

  /** The newest of all, which says the opposite, signed by a key that nobody names. `claims`: it says that the right one signed. */
  forge(url: string, claims: boolean): Published | null {
    const territory = territoryAt(url);
    if (!territory) return null;
    const newest = this.newest(territory);
    const { number, signer, periods, names } = newest;
    const issue: Issue = {
      ...{ territory, number: number + 1, issuedAt: this.#second(), periods: [this.#opposite(newest), ...periods] },
      ...{ signer: claims ? signer : "forger", names: names === null ? "first" : "forger" },
    };
    return { der: signIssue(issue, "forger"), issue: null };
  }

  #opposite(issue: Issue): Period {
    return { status: isGranted(issue) ? "withdrawn" : "granted", from: this.#second() };
  }

  #second(): number {
    return Math.floor(this.#now() / SECOND_MS) * SECOND_MS;
  }

  #issue(before: Issue, change: Partial<Issue>): void {
    this.issues.push({ ...before, ...change, number: before.number + 1, issuedAt: this.#second() });
  }
}

const territoryAt = (url: string): Territory | undefined =>
  ([LIST_OF_LISTS, COUNTRY] as const).find((territory) => url === locationOf(territory));

export const isGranted = ({ periods: [newest] }: Issue): boolean => newest.status === "granted";
