/** GET of a static file: pages for people and what they need. src/reference/ makes them. */
import type { Context } from "hono";
import { accepts } from "hono/accepts";
import type { AppEnv } from "../http/context.ts";
import { errorResponse } from "../http/errors/error-response.ts";
import { lostPath } from "../http/errors/lost-path.ts";
import { callStore } from "../platform/stores.ts";

/** A page loads nothing from elsewhere, runs no script that is written in it, and is shown in no frame. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

const HEADERS = {
  "Content-Security-Policy": PAGE_POLICY,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  // a file may change with each deployment: the browser asks each time, and the ETag spares it the content
  "Cache-Control": "public, max-age=0, must-revalidate",
};

/** Answers with the file of the request's path. 304 if the caller has it, 404 if there is none. */
export async function answerFile(c: Context<AppEnv>): Promise<Response> {
  const answer = await sendFile(c, fileOf(c.req.path));
  if (!c.req.path.endsWith(".http") || answer.status !== 200) return answer;
  // an editor sends its requests to where the file came from
  const text = (await answer.text()).replace(/^@gate = .*$/m, `@gate = ${new URL(c.req.url).origin}`);
  return new Response(text, answer);
}

/** GET /: leads people on, and tells a program what this is. curl, which takes anything, is a program. */
export const answerHome = (c: Context<AppEnv>): Promise<Response> =>
  sendFile(c, asksFor(c, "application/json") === "text/html" ? "/index.html" : "/index.json", { Vary: "Accept" });

/** GET /openapi.json and /openapi.yaml: for programs of any origin, such as a viewer on a developer's machine. */
export const answerDocument = (c: Context<AppEnv>): Promise<Response> =>
  sendFile(c, c.req.path, {
    "Content-Type": c.req.path.endsWith(".yaml") ? "application/yaml" : "application/json",
    "Access-Control-Allow-Origin": "*",
  });

/** GET /errors: for people, or as JSON for a program that asks for it. Links in errors lead here. */
export const answerErrors = (c: Context<AppEnv>): Promise<Response> =>
  sendFile(c, asksFor(c, "text/html") === "text/html" ? "/errors.html" : "/errors.json", { Vary: "Accept" });

/** Which of HTML and JSON the header Accept names first, by its weights; `other` if neither. */
const asksFor = (c: Context<AppEnv>, other: "text/html" | "application/json"): string =>
  accepts(c, { header: "Accept", supports: ["text/html", "application/json"], default: other });

/** `/docs` is docs.html; a name with an ending is the file itself. */
function fileOf(path: string): string {
  if (path === "/") return "/index.html";
  return /\.[a-z0-9]+$/.test(path) ? path : `${path}.html`;
}

/** 404: a person gets a page. The API answers in the form of errors, whoever asks. */
export async function answerLost(c: Context<AppEnv>): Promise<Response> {
  const isOfApi = /^\/v1(\/|$)/i.test(c.req.path);
  if (isOfApi || asksFor(c, "application/json") !== "text/html") return errorResponse(c, lostPath(c.req.path));
  c.set("outcome", "path_not_found");
  return sendFile(c, "/404.html", { "Cache-Control": "no-store" }, 404);
}

async function sendFile(
  c: Context<AppEnv>,
  file: string,
  more: Readonly<Record<string, string>> = {},
  status: 200 | 404 = 200,
): Promise<Response> {
  // a 304 would hide that there is no such page
  const known = status === 200 ? c.req.header("If-None-Match") : undefined;
  const asset = await callStore("assets", () =>
    c.env.ASSETS.fetch(new URL(file, "https://assets.invalid"), {
      headers: known === undefined ? {} : { "If-None-Match": known },
    }),
  );
  const headers: Record<string, string> = { ...HEADERS };
  for (const name of ["Content-Type", "ETag"]) {
    const value = asset.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  Object.assign(headers, more);
  if (asset.status === 304) return c.body(null, 304, headers);
  if (asset.status === 200 && asset.body) return c.body(asset.body, status, headers);
  if (status === 404) throw lostPath(c.req.path);
  return answerLost(c);
}
