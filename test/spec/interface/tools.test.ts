/** The files for tools do what they are for: each of their requests is sent to the sandbox, in their order. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ENDPOINTS } from "../../../src/endpoints.ts";
import { buildSite } from "../../../src/site/build.ts";
import { BASE_URL } from "./bank.ts";

const fetchText = async (path: string) => (await fetch(`${BASE_URL}${path}`)).text();

/** What the variables of both tools stand for. */
const resolve = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replaceAll(/\{\{([\w-]+)\}\}/g, (whole, name) => values.get(name) ?? whole);

test("psp-gate.http: each request gets the status in its heading", async () => {
  const [head = "", ...requests] = (await fetchText("/docs/psp-gate.http")).split(/^### /m);
  const values = new Map([...head.matchAll(/^@(\w+) = (.*)$/gm)].map(([, name = "", value = ""]) => [name, value]));
  values.set("gate", BASE_URL);
  const answers: Record<string, unknown> = {};
  // as the extensions do: the value at a path of a named request's answer
  const learn = (text: string) =>
    text.replaceAll(/\{\{(\w+)\.response\.body\.\$\.([\w.[\]]+)\}\}/g, (_, name, way: string) =>
      String(
        way
          .split(/[.[\]]+/)
          .filter((key) => key !== "")
          .reduce<unknown>((value, key) => Reflect.get(Object(value), key), answers[name]),
      ),
    );
  expect(requests.length).toBeGreaterThan(20);
  for (const request of requests) {
    const [title = "", name = "", line = "", ...rest] = resolve(learn(request), values).split("\n");
    const blank = rest.indexOf("");
    const headers = Object.fromEntries(
      rest.slice(0, blank).map((header) => [header.split(": ")[0] ?? "", header.slice(header.indexOf(": ") + 2)]),
    );
    // the extensions encode `Basic name:secret` themselves
    headers["Authorization"] = `Basic ${btoa(headers["Authorization"]?.replace("Basic ", "") ?? "")}`;
    const body = rest
      .slice(blank + 1)
      .join("\n")
      .trim();
    const [method = "", url = ""] = line.split(" ");
    const answer = await fetch(url, { method, headers, ...(body !== "" && { body }) });
    const text = await answer.text();
    const wanted = title.split(": ").at(-1);
    expect([title, `${answer.status}` === wanted ? wanted : text]).toEqual([title, wanted]);
    answers[name.replace("# @name ", "")] = text === "" ? undefined : JSON.parse(text);
  }
});

interface Item {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly url: {
      path: string[];
      query: { key: string; value: string }[];
      variable: { key: string; value: string }[];
    };
    readonly header: { key: string; value: string }[];
    readonly body?: { raw: string };
  };
  readonly event?: { script: { exec: string[] } }[];
}

test("postman.json: has every endpoint, and each request succeeds from top to bottom", async () => {
  const collection = JSON.parse(await fetchText("/docs/postman.json"));
  expect(collection.info.schema).toBe("https://schema.getpostman.com/json/collection/v2.1.0/collection.json");
  const values = new Map<string, string>(
    collection.variable.map(({ key, value }: { key: string; value: string }) => [key, value]),
  );
  const [username, password] = collection.auth.basic.map(({ value }: { value: string }) => resolve(value, values));
  const seen = new Set<string>();
  for (const item of collection.item.flatMap(({ item }: { item: Item[] }) => item) as Item[]) {
    const { method, url, header, body } = item.request;
    seen.add(`${method} /${url.path.map((part) => part.replace(/^:(\w+)$/, "{$1}")).join("/")}`);
    const parameters = new Map(url.variable.map(({ key, value }) => [key, resolve(value, values)]));
    const place = url.path.map((part) => encodeURIComponent(parameters.get(part.slice(1)) ?? part)).join("/");
    const query = new URLSearchParams(url.query.map(({ key, value }) => [key, resolve(value, values)]));
    const answer = await fetch(`${BASE_URL}/${place}?${query}`, {
      method,
      headers: {
        Authorization: `Basic ${btoa(`${username}:${password}`)}`,
        ...Object.fromEntries(header.map(({ key, value }) => [key, resolve(value, values)])),
      },
      ...(body && { body: resolve(body.raw, values) }),
    });
    const text = await answer.text();
    expect([item.name, answer.ok ? "ok" : text]).toEqual([item.name, "ok"]);
    // the collection's own script, with the one object of Postman's that it uses
    const pm = {
      response: { json: () => JSON.parse(text) },
      collectionVariables: { set: (name: string, value: string) => values.set(name, value) },
    };
    for (const { script } of item.event ?? []) new Function("pm", script.exec.join("\n"))(pm);
  }
  const names = ENDPOINTS.map(({ method, path }) => `${method} ${path}`);
  expect(names.filter((name) => !seen.has(name) && !OLDER.test(name))).toEqual([]);
});

/** The forms of version 1.6 are in no document: nobody should begin with them. */
const OLDER = /\/(ccg_token|authorization_code|token|tpp\/eidas)$|\/obie\/token\//;

test("a deployed service gets no credentials, and what it has its callers fill in names none of the sandbox", async () => {
  const folder = await buildSite({ sandbox: false });
  const read = (name: string) => readFile(join(folder, name), "utf8");
  // in the guides they are the sandbox's, to be typed; nothing sends them
  for (const name of ["docs.html", "assets/reference.js", "openapi.json", "docs/postman.json", "docs/psp-gate.http"])
    expect([name, /sandbox-(fi|secret)/.test(await read(name))]).toEqual([name, false]);
  for (const name of ["docs/postman.json", "docs/psp-gate.http"])
    expect([name, /[A-Za-z0-9+/]{500}/.test(await read(name))]).toEqual([name, false]);
});
