/** What a page of the console is: an entry of pages.ts, with a file of its own. */
import type { Context } from "hono";
import type { AppEnv } from "../http/context.ts";
import type { RecordedEndpoint } from "../http/endpoint.ts";
import { baseUrl } from "../http/errors/errors.ts";
import type { FinancialInstitution } from "../institutions/financial-institutions.ts";
import type { Instant } from "../platform/instant.ts";

export interface InstitutionReader {
  readonly kind: "institution";
  readonly fi: FinancialInstitution;
  readonly clientId: string;
  /** What its forms are bound to (forms.ts): the session. */
  readonly bond: string;
}

export interface OperatorReader {
  readonly kind: "operator";
  /** How Access names them; null for the operator of `npm start`. */
  readonly email: string | null;
  /** What its forms are bound to: the session, or the assertion of Access. */
  readonly bond: string;
}

export type Reader = InstitutionReader | OperatorReader;

/** The institution that what the reader keeps belongs to; null: the operators. */
export const ownerOf = (reader: Reader): number | null => (reader.kind === "institution" ? reader.fi.id : null);

/** How a record names the reader. */
export const nameOf = (reader: Reader): string =>
  reader.kind === "institution" ? reader.clientId : (reader.email ?? "operator of this machine");

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
  /** Limit for the body of its form, in KiB; 16 without. */
  readonly formKib?: number;
  /** Absent: every service has it. */
  readonly isThere?: (env: object) => boolean;
}

/** For whom it is: it is a 404 for everyone else. Who has not signed in is asked to. */
export type Page = Place &
  (
    | ({ readonly for: "everyone" } & Handlers<Reader | null>)
    | ({ readonly for: "readers" } & Handlers<Reader>)
    | ({ readonly for: "institutions" } & Handlers<InstitutionReader>)
    | ({ readonly for: "operators" } & Handlers<OperatorReader>)
  );

export function mayRead(page: Page, reader: Reader | null): boolean {
  switch (page.for) {
    case "everyone":
      return true;
    case "readers":
      return reader !== null;
    case "institutions":
      return reader?.kind === "institution";
    case "operators":
      return reader?.kind === "operator";
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

/** A path such as /console/check as a link: with the path prefix of BASE_URL, if the service has one. */
export type Href = (path: string) => string;

export function linksOf(c: Context<AppEnv>): Href {
  const prefix = new URL(baseUrl(c.env.BASE_URL, c.req.url)).pathname.replace(/\/$/, "");
  return (path) => `${prefix}${path}`;
}
