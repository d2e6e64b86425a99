/** What surrounds every page: head, menu, who reads, footer. */

import type { Context } from "hono";
import { html } from "hono/html";
import type { Child } from "hono/jsx";
import { readTokenKeys } from "../grants/token-keys.ts";
import type { AppEnv } from "../http/context.ts";
import { VERSION } from "../platform/version.ts";
import { SITE } from "../reference/page.ts";
import { fitTo, Time } from "./elements.tsx";
import { FORM_TOKEN, formToken } from "./forms.ts";
import type { Href, MenuEntry, Reader, Visit } from "./page.ts";
import { showForeignText } from "./wording.ts";

interface Content {
  readonly title: string;
  /** One column, as wide as a form. */
  readonly narrow?: boolean;
  readonly children?: Child;
}

/** Of a request whose reader is known: its error page has their menu, too (error-page.tsx). */
const surroundings = new WeakMap<Context<AppEnv>, Visit<Reader>>();
export const surround = (c: Context<AppEnv>, visit: Visit<Reader>) => surroundings.set(c, visit);
export const findSurroundings = (c: Context<AppEnv>): Visit<Reader> | null => surroundings.get(c) ?? null;

/** Answers with a page. */
export async function show(
  visit: Visit<Reader> | Visit,
  content: Content & { readonly status?: 200 | 400 | 401 | 403 | 429 },
): Promise<Response> {
  const { c } = visit;
  const page = await html`<!doctype html>${<Frame visit={visit} {...content} />}`;
  return c.html(showForeignText(fitTo(visit.reader, String(page))), content.status ?? 200);
}

export function Frame({ visit, title, narrow = false, children }: Content & { visit: Visit }) {
  const { c, now, reader, menu, href } = visit;
  return (
    <html lang="en">
      <Head title={title} href={href}>
        <script src={href("/assets/console.js")} defer></script>
      </Head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="bar">
          <Bar href={href} {...(reader && { menu })} />
          {reader && <Who visit={{ ...visit, reader }} />}
        </header>
        <main id="main" tabindex={-1} class={narrow ? "narrow" : undefined}>
          <h1>{title}</h1>
          {children}
        </main>
        <footer>
          <p class="line">
            psp-gate {VERSION} · <Time at={now} /> · request {c.var.requestId}
          </p>
        </footer>
      </body>
    </html>
  );
}

/** Without a reader: nothing but what it says. `head`: what else the page loads. */
export const BareFrame = ({
  title,
  href,
  head,
  children,
}: Content & { readonly href: Href; readonly head?: Child }) => (
  <html lang="en">
    <Head title={title} href={href}>
      {head}
    </Head>
    <body>
      <header class="bar">
        <Bar href={href} />
      </header>
      <main id="main" class="narrow">
        <h1>{title}</h1>
        {children}
      </main>
    </body>
  </html>
);

/** Who reads, and the way out. */
function Who({ visit }: { visit: Visit<Reader> }) {
  const { reader, href } = visit;
  if (reader.kind === "operator" && reader.email !== null)
    return (
      <div class="who">
        <p>
          <b>{reader.email}</b> <span class="muted">Operator</span>
        </p>
        {/* Cloudflare's own address, whatever the service's prefix */}
        <a class="quiet" href="/cdn-cgi/access/logout">
          Sign out
        </a>
      </div>
    );
  return (
    <div class="who">
      {reader.kind === "institution" ? (
        reader.by.kind === "person" ? (
          <p>
            <b>{reader.by.person.name}</b>{" "}
            <span class="muted">
              {reader.roles.join(", ")} · {reader.fi.name}
            </span>
          </p>
        ) : (
          <p>
            <b>{reader.fi.name}</b> <span class="muted">{reader.fi.fiReferenceId}</span>
          </p>
        )
      ) : (
        <p>
          <b>Operator</b> <span class="muted">of this machine</span>
        </p>
      )}
      <form method="post" action={href("/console/sign-out")}>
        <FormToken visit={visit} />
        <button type="submit" class="quiet">
          Sign out
        </button>
      </form>
    </div>
  );
}

/** Belongs into every form of a reader (forms.ts). */
export function FormToken({ visit: { c, reader } }: { visit: Visit<Reader> }) {
  return <input type="hidden" name={FORM_TOKEN} value={formToken(readTokenKeys(c.env), reader.bond)} />;
}

/** `children`: what else the page loads. */
const Head = ({ title, href, children }: { title: string; href: Href; children?: Child }) => (
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>{title} · psp-gate console</title>
    <link rel="icon" href={href("/assets/console-icon.svg")} />
    <link rel="stylesheet" href={href("/assets/console.css")} />
    {children}
  </head>
);

const SITE_MENU = SITE.map(([path, label]): MenuEntry => ({ label, path, current: path === "/console" }));

/** Whoever is not signed in, and has no menu, comes from the site. */
const Bar = ({ href, menu }: { href: Href; menu?: readonly MenuEntry[] }) => (
  <>
    <a class="brand" href={href(menu ? "/console" : "/")}>
      psp-gate {menu && <span>console</span>}
    </a>
    <nav class={menu ? undefined : "links"} aria-label={menu ? "Console" : "Site"}>
      <ul>
        {(menu ?? SITE_MENU).map(({ label, path, current }) => (
          <li>
            <a href={href(path)} aria-current={current ? "page" : undefined}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  </>
);

const HEADERS = {
  "Cache-Control": "no-store",
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  "Cross-Origin-Opener-Policy": "same-origin",
  // no-referrer would make browsers send `Origin: null` with forms (Fetch standard, "append a request Origin header")
  "Referrer-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
} as const;

export function setPageHeaders(c: Context<AppEnv>): void {
  for (const [name, value] of Object.entries(HEADERS)) c.header(name, value);
}
