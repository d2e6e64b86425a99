/** The files for tools do what they are for: each of their requests is sent to the sandbox, in their order. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildSite } from "../../../src/cli/build/site.ts";
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

test("Postman imports /openapi.json, and the first page says so: there is no collection", async () => {
  expect((await fetch(`${BASE_URL}/docs/postman.json`)).status).toBe(404);
  const page = await (await fetch(`${BASE_URL}/`, { headers: { Accept: "text/html" } })).text();
  expect(page).toContain("Postman imports <code>/openapi.json</code>");
});

test("a deployed service gets no credentials, and what it has its callers fill in names none of the sandbox", async () => {
  const folder = await buildSite({ sandbox: false });
  const read = (name: string) => readFile(join(folder, name), "utf8");
  // in the guides they are the sandbox's, to be typed; nothing sends them
  for (const name of ["docs.html", "docs/checkPsp.html", "openapi.json", "docs/psp-gate.http"])
    expect([name, /sandbox-(fi|secret)/.test(await read(name))]).toEqual([name, false]);
  expect(await read("docs/psp-gate.http")).not.toMatch(/[A-Za-z0-9+/]{500}/);
});
