/** GET of a static file: pages for people and what they need. src/reference/ makes them. */
import type { Context } from "hono";
import { accepts } from "hono/accepts";
import type { AppEnv } from "../http/context.ts";
import { errorResponse } from "../http/errors/error-response.ts";
import { baseUrl } from "../http/errors/errors.ts";
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

/** Guides that are parts of others, by their own addresses. */
export const PARTS: Readonly<Record<string, string>> = {
  "/docs/aggregators": "/docs/errors#several-banks-one-credential",
  "/docs/from-1-6": "/docs/versions#moving-from-1-6",
  "/docs/passporting": "/docs/certificates#passporting",
  "/docs/psd2-180-days": "/docs/consents#the-180-days-of-psd2",
  "/docs/rate-limits": "/docs/errors#rate-limits",
  "/docs/several-accounts": "/docs/consents#several-accounts-in-one-consent",
  "/docs/unattended-access": "/docs/consents#unattended-access",
};

/** Answers with the file of the request's path. 304 if the caller has it, 404 if there is none. 301 of a part. */
export async function answerFile(c: Context<AppEnv>): Promise<Response> {
  const { path } = c.req;
  const whole = PARTS[path];
  if (whole !== undefined) return c.body(null, 301, { ...HEADERS, Location: whole });
  return path.endsWith(".http") ? await sendAddressed(c) : await sendFile(c, fileOf(path));
}

/** GET /: leads people on, and tells a program what this is. curl, which takes anything, is a program. */
export const answerHome = (c: Context<AppEnv>): Promise<Response> =>
  sendFile(c, asksFor(c, "application/json") === "text/html" ? "/index.html" : "/index.json", { Vary: "Accept" });

/** GET /openapi.json and /openapi.yaml: for programs of any origin, such as a viewer on a developer's machine. */
export const answerDocument = (c: Context<AppEnv>): Promise<Response> =>
  sendAddressed(c, {
    "Content-Type": c.req.path.endsWith(".yaml") ? "application/yaml" : "application/json",
    "Access-Control-Allow-Origin": "*",
  });

/** GET /errors: for people, or as JSON for a program that asks for it. Links in errors lead here. */
export const answerErrors = (c: Context<AppEnv>): Promise<Response> =>
  sendFile(c, asksFor(c, "text/html") === "text/html" ? "/errors.html" : "/errors.json", { Vary: "Accept" });

/** Which of HTML and JSON the header Accept names first, by its weights; `other` if neither. */
const asksFor = (c: Context<AppEnv>, other: "text/html" | "application/json"): string =>
  accepts(c, { header: "Accept", supports: ["text/html", "application/json"], default: other });

/** Where tools read the address to which they send requests, by the ending of the file. */
const ADDRESS: Readonly<Record<string, RegExp>> = {
  json: /(?<="servers":\[\{"url":")\//,
  yaml: /(?<=^servers:\n {2}- url: )\//m,
  http: /(?<=^@gate = ).*$/m,
};

/**
 * The file of the request's path, with the address of this service: BASE_URL, or the request's own. That is from the Host header,
 * which the caller controls: a cache keeps one answer for each. An ETag is of one address, which another deployment may change.
 */
async function sendAddressed(c: Context<AppEnv>, more: Readonly<Record<string, string>> = {}): Promise<Response> {
  const path = c.req.path;
  const place = ADDRESS[path.slice(path.lastIndexOf(".") + 1)];
  const address = baseUrl(c.env.BASE_URL, c.req.url);
  const end = `;${address}"`;
  const sent = c.req.header("If-None-Match");
  const known = sent?.endsWith(end) ? `${sent.slice(0, -end.length)}"` : null;
  const answer = await sendFile(c, path, { ...more, Vary: "Host" }, 200, known);
  const tag = answer.headers.get("ETag");
  if (place === undefined || tag === null) return answer;
  const headers = new Headers(answer.headers);
  headers.set("ETag", tag.replace(/"$/, end));
  const text = answer.body && (await answer.text()).replace(place, () => address);
  return new Response(text, { status: answer.status, headers });
}

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
  // a 304 would hide that there is no such page
  known: string | null = status === 200 ? (c.req.header("If-None-Match") ?? null) : null,
): Promise<Response> {
  const asset = await callStore("assets", () =>
    c.env.ASSETS.fetch(new URL(file, "https://assets.invalid"), {
      headers: known === null ? {} : { "If-None-Match": known },
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
