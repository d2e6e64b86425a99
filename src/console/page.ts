/** What a page of the console is: an entry of pages.ts, with a file of its own. */
import type { Context } from "hono";
import type { LedgerEntry } from "../evidence/ledger/record.ts";
import type { AppEnv } from "../http/context.ts";
import type { RecordedEndpoint } from "../http/endpoint.ts";
import { baseUrl } from "../http/errors/errors.ts";
import type { FinancialInstitution } from "../institutions/financial-institutions.ts";
import type { Instant } from "../platform/instant.ts";
import type { InstitutionRole, Role } from "./roles.ts";

/** Someone of an institution, who signed in at its provider. */
export interface Person {
  /** How records name them (institutions/people.ts). */
  readonly tag: string;
  /** As the provider gave it, for pages. Never logged. */
  readonly name: string;
}

export interface InstitutionReader {
  readonly kind: "institution";
  readonly fi: FinancialInstitution;
  readonly by:
    | { readonly kind: "credentials"; readonly clientId: string }
    | { readonly kind: "person"; readonly person: Person };
  readonly roles: readonly InstitutionRole[];
  /** What its forms are bound to (forms.ts): the session. */
  readonly bond: string;
}

export interface OperatorReader {
  readonly kind: "operator";
  readonly roles: readonly ["operator"];
  /** How Access names them; null for the operator of `npm start`. */
  readonly email: string | null;
  /** What its forms are bound to: the session, or the assertion of Access. */
  readonly bond: string;
}

export type Reader = InstitutionReader | OperatorReader;

/** The institution that what the reader keeps belongs to; null: the operators. */
export const ownerOf = (reader: Reader): number | null => (reader.kind === "institution" ? reader.fi.id : null);

/** The member of a record that says who it was; of log lines, too. */
export function signatureOf(reader: Reader): Partial<Pick<LedgerEntry, "client" | "operator" | "person">> {
  if (reader.kind === "operator") return { operator: reader.email ?? "operator of this machine" };
  return reader.by.kind === "person" ? { person: reader.by.person.tag } : { client: reader.by.clientId };
}

/** How log lines and what is kept name the reader. */
export const logNameOf = (reader: Reader): string => Object.values(signatureOf(reader))[0] ?? "";

export interface MenuEntry {
  readonly label: string;
  readonly path: string;
  /** Whether the page that is shown is this one or below it. */
  readonly current: boolean;
}

/** A request for a page, by a reader who may see it. */
export interface Visit<Who extends Reader | null = Reader | null> {
  readonly c: Context<AppEnv>;
  readonly now: Instant;
  readonly reader: Who;
  /** The values of the path's `{name}`s. */
  readonly params: Readonly<Record<string, string>>;
  /** The pages that this reader can open from each page. */
  readonly menu: readonly MenuEntry[];
  readonly href: Href;
}

/**
 * `get` shows; `post` changes, and its form has been proved to be this reader's own (forms.ts). What a form changes is
 * recorded, or the page says why it is not.
 */
type Handlers<Who extends Reader | null> = {
  readonly get?: (visit: Visit<Who>) => Promise<Response>;
} & (
  | { readonly post?: never }
  | {
      readonly post: (visit: Visit<Who>, form: FormData) => Promise<Response>;
      /** Its row in the table of endpoints. */
      readonly form: RecordedEndpoint | { readonly unrecorded: string };
    }
);

/** Of a form that begins or ends a session. */
export const SESSION_ONLY = { unrecorded: "it changes a session alone" };

interface Place {
  /** `{name}` is one path segment. */
  readonly path: string;
  /** Its name in the menu; null: it is not there. */
  readonly menu: string | null;
  /** Who finds it there; without: whoever may open it. */
  readonly inMenuOf?: readonly Role[];
  /** Limit for the body of its form, in KiB; 16 without. */
  readonly formKib?: number;
  /** Its form comes from a provider, not from a page of this console: its token is the proof. */
  readonly fromProvider?: true;
  /** Absent: every service has it. */
  readonly isThere?: (env: object) => boolean;
}

/** `roles`: whose page it is (roles.ts); everyone else gets 403, and who has not signed in is asked to. */
export type Page = Place &
  (
    | ({ readonly roles: "everyone" } & Handlers<Reader | null>)
    | ({ readonly roles: readonly Role[] } & Handlers<Reader>)
    | ({ readonly roles: readonly InstitutionRole[] } & Handlers<InstitutionReader>)
    | ({ readonly roles: readonly ["operator"] } & Handlers<OperatorReader>)
  );

/** Whether one of the reader's roles is among these. */
export function hasRole(reader: Reader | null, roles: readonly Role[]): boolean {
  const own: readonly Role[] = reader?.roles ?? [];
  return own.some((role) => roles.includes(role));
}

export const mayRead = ({ roles }: Pick<Page, "roles">, reader: Reader | null): boolean =>
  roles === "everyone" || hasRole(reader, roles);

/** That there is such a page is nothing for anybody else. */
export const isForOperators = ({ roles }: Pick<Page, "roles">): boolean =>
  roles !== "everyone" && roles.every((role) => role === "operator");

/** A segment of a path as it is meant; what is no percent-encoding stays as it is. */
export function decodeSegment(segment = ""): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The values of a path's `{name}`s; null if the path is another one. */
export function matchPath(pattern: string, path: string): Record<string, string> | null {
  const [names, segments] = [pattern.split("/"), path.split("/")];
  if (names.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [i, name] of names.entries()) {
    const segment = segments[i] ?? "";
    if (name.startsWith("{") && segment !== "") params[name.slice(1, -1)] = segment;
    else if (name !== segment) return null;
  }
  return params;
}

export interface PageFault {
  readonly status: 400 | 403 | 404 | 405 | 409 | 413 | 429 | 500 | 503;
  /** Of the log line. */
  readonly code: string;
  readonly heading: string;
  /** What happened, and what to do. */
  readonly text: string;
}

export class PageProblem extends Error {
  override readonly name = "PageProblem";
  readonly fault: PageFault;
  readonly headers: Readonly<Record<string, string>>;

  constructor(fault: PageFault, headers: Record<string, string> = {}) {
    super(fault.code);
    this.fault = fault;
    this.headers = headers;
  }
}

export const pageNotFound = (): PageProblem =>
  new PageProblem({
    status: 404,
    code: "page_not_found",
    heading: "No such page",
    text: "Nothing is here for you: the address is wrong, what it showed has expired, or it belongs to someone else.",
  });

/** Those of an address that have these names and a value: what is kept when a list goes on. */
export const keepParameters = (
  given: Readonly<Record<string, string>>,
  names: readonly string[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(names.flatMap((name) => (given[name] ? [[name, given[name]]] : [])));

/** A path such as /console/check as a link: with the path prefix of BASE_URL, if the service has one. */
export type Href = (path: string) => string;

export function linksOf(c: Context<AppEnv>): Href {
  const prefix = new URL(baseUrl(c.env.BASE_URL, c.req.url)).pathname.replace(/\/$/, "");
  return (path) => `${prefix}${path}`;
}
