/**
 * Holds every answer that a black-box test receives against the document: its status, its headers, its fields and no
 * other, and its error codes, which must be among those of the operation and the status. It wraps what sends requests, so
 * any client can be given it.
 */
import { operations, validators } from "virtual:contract";

type Send = (request: Request) => Response | Promise<Response>;

/** Rejects with what is wrong, in a sentence. */
export const checked =
  (send: Send): ((request: Request) => Promise<Response>) =>
  async (request) => {
    const { method, url, headers } = request;
    const response = await send(request);
    const copy = response.clone();
    const fault = findFault(method, new URL(url).pathname, headers.get("version"), copy, await copy.text());
    if (fault !== null) throw new Error(`the answer is not as the document says: ${method} ${fault}`);
    return response;
  };

const PATTERNS = operations.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replace(/\{\w+\}/g, "[^/]+")}$`),
}));

/** Null if all is well, or if the answer is of a page, which the document does not describe. */
function findFault(
  method: string,
  path: string,
  version: string | null,
  { status, headers }: Pick<Response, "status" | "headers">,
  text: string,
): string | null {
  const here = PATTERNS.filter(({ pattern }) => pattern.test(path)).map(({ operation }) => operation);
  const json = /^application\/json\b/.test(headers.get("Content-Type") ?? "");
  // the forms of version 1.6, which only some deployments answer, are not in the document: test/worker/routes/v1_6/
  if (here.length === 0 && headers.has("Deprecation")) return null;
  if (here.length === 0) return path.startsWith("/v1/") ? findFaultOfLostPath(status, text) : null;
  // an account `..` is removed from the path, and what is left is another one
  if (status === 404 && !here.some((each) => each.method === method)) return findFaultOfLostPath(status, text);
  // another method is answered in the form that all operations of the path have for 405
  const operation = here.find((each) => each.method === method) ?? here[0];
  const place = `${operation?.path} ${status}`;
  const promised = operation?.statuses[status];
  if (!promised) return `${place}: no such status; ${text.slice(0, 200)}`;
  const wrongHeaders = explain(promised.headers, Object.fromEntries(headers));
  if (wrongHeaders !== null) return `${place}, headers: ${wrongHeaders}`;
  if (promised.bytes !== undefined)
    return headers.get("Content-Type") === promised.bytes ? null : `${place}: it is no ${promised.bytes}`;
  if (!promised.body) return text === "" ? null : `${place}: a body, and there should be none`;
  if (!json) return `${place}: Content-Type is ${headers.get("Content-Type")}`;
  const name = promised.body[version === "latest" ? "latest" : "1"] ?? "";
  const wrongBody = explain(name, JSON.parse(text));
  return wrongBody === null ? null : `${place}, version ${version}: ${wrongBody} in ${text.slice(0, 400)}`;
}

function explain(name: string, value: unknown): string | null {
  const validate = validators[name];
  if (!validate) return `no validator ${name}`;
  if (validate(value)) return null;
  const [error] = validate.errors ?? [];
  return `${error?.instancePath || "the whole"} ${error?.message} ${JSON.stringify(error?.params)}`;
}

/** A path that the document does not have: 404 with one of the codes that say so, in the form of all errors. */
function findFaultOfLostPath(status: number, text: string): string | null {
  const codes: readonly string[] = (JSON.parse(text).errors ?? []).map(({ code }: { code: string }) => code);
  const known = [429, 500, 503].includes(status) || (status === 404 && codes.length > 0);
  const lost =
    status !== 404 || codes.every((code) => /^(path_not_found|path_malformed|account_id_missing)$/.test(code));
  return known && lost ? null : `a path that is not in the document: ${status} ${text.slice(0, 200)}`;
}
