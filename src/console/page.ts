/** What a page of the console is: an entry of pages.ts, with a file of its own. */
import type { Context } from "hono";
import type { AppEnv } from "../http/context.ts";
import type { RecordedEndpoint } from "../http/endpoints.ts";
import type { Href } from "./links.ts";
import type { InstitutionReader, OperatorReader, Reader } from "./reader.ts";

export interface MenuEntry {
  readonly label: string;
  readonly path: string;
  /** Whether the page that is shown is this one or below it. */
  readonly current: boolean;
}

/** A request for a page, by a reader who may see it. */
export interface Visit<Who extends Reader | null = Reader | null> {
  readonly c: Context<AppEnv>;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly reader: Who;
  /** The values of the path's `{name}`s. */
  readonly params: Readonly<Record<string, string>>;
  /** The pages that this reader can open from each page. */
  readonly menu: readonly MenuEntry[];
  readonly href: Href;
}

/**
 * `get` shows; `post` changes, and its form has been proved to be this reader's own (form-guard.ts). What a form changes is
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
