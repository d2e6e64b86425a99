/**
 * A request in four languages. What differs from bank to bank, and what is too long to read, is a variable of the
 * environment, which the request has as `{{NAME}}`.
 */
import { raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { makeTabs } from "./code-block.ts";
import type { OpenApiOperation, OpenApiParameter } from "./open-api.ts";

export interface SampleRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** With the bank's credentials. */
  readonly authenticated: boolean;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: unknown;
}

/** Of a value that is written out. */
export const LONGEST = 80;
const VARIABLE = /\{\{(\w+)\}\}/g;
const QUOTED = /"\{\{(\w+)\}\}"/g;

/** The value, or its variable if it is longer than a line. */
const shortened = (name: string, value: string): string =>
  value.length > LONGEST ? `{{${name.toUpperCase()}}}` : value;

export interface SampledOperation extends Pick<OpenApiOperation, "security"> {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly OpenApiParameter[];
}

/** The request with what must be sent: the example of each parameter, or the first value that it may have. */
export function sampleOf({ method, path, parameters, security }: SampledOperation, body: unknown): SampleRequest {
  const needed = parameters.filter(({ required }) => required);
  const value = ({ name, example, schema }: OpenApiParameter) =>
    shortened(name, String(example ?? schema.enum?.[0] ?? name));
  const encoded = (parameter: OpenApiParameter) =>
    value(parameter).replace(/^[^{].*$/, (text) => encodeURIComponent(text));
  const place = needed
    .filter((each) => each.in === "path")
    .reduce((text, each) => text.replace(`{${each.name}}`, () => encoded(each)), path);
  const query = needed.filter((each) => each.in === "query").map((each) => `${each.name}=${encoded(each)}`);
  const headers = needed
    .filter((each) => each.in === "header")
    .map((each) => [each.name, each.name === "fi_reference_id" ? "{{FI_REFERENCE_ID}}" : value(each)] as const);
  return {
    method,
    path: query.length > 0 ? `${place}?${query.join("&")}` : place,
    authenticated: security.length > 0,
    headers: body === undefined ? headers : [...headers, ["Content-Type", "application/json"] as const],
    body,
  };
}

/** By the names and in the order that guides have, so that a choice is kept from page to page. */
const LANGUAGES = [
  ["curl", "sh", writeCurl],
  ["Python", "python", writePython],
  ["Java", "java", writeJava],
  ["Node", "js", writeNode],
] as const;

export async function makeSamples(request: SampleRequest): Promise<HtmlEscapedString> {
  const codes = LANGUAGES.map(([title, language, write]) => ({ title, language, text: write(request) }));
  return raw(await makeTabs("language", codes));
}

const json = (body: unknown): string =>
  JSON.stringify(body, (key, value) => (typeof value === "string" ? shortened(key, value) : value), 2);

const indent = (text: string, by: string): string => text.replaceAll("\n", `\n${by}`);

/** A value that is a variable and nothing else is written as `variable` has it. */
const valueIn = (value: string, variable: (name: string) => string): string => {
  const [whole, name] = /^\{\{(\w+)\}\}$/.exec(value) ?? [];
  return whole !== undefined && name !== undefined ? variable(name) : JSON.stringify(value);
};

function writeCurl({ method, path, authenticated, headers, body }: SampleRequest): string {
  const quoted = (text: string) => `"${text.replaceAll('"', '\\"').replaceAll(VARIABLE, "$$$1")}"`;
  const text = body === undefined ? "" : json(body).replaceAll("'", "'\\''").replaceAll(VARIABLE, `'"$$$1"'`);
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(`{{GATE}}${path}`)}`,
    ...(authenticated ? ['-u "$CLIENT_ID:$SECRET"'] : []),
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(text === "" ? [] : [`-d '${text}'`]),
  ].join(" \\\n  ");
}

function writeNode({ method, path, authenticated, headers, body }: SampleRequest): string {
  const credentials = authenticated
    ? [["Authorization", `\`Basic \${btoa(\`\${env.CLIENT_ID}:\${env.SECRET}\`)}\``]]
    : [];
  const written = headers.map(([name, value]) => [name, valueIn(value, (each) => `env.${each}`)]);
  const all = [...credentials, ...written].map(
    ([name = "", value = ""]) => `${/\W/.test(name) ? `"${name}"` : name}: ${value}`,
  );
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}",`]),
    ...(all.length > 0 ? [`headers: {\n    ${all.join(",\n    ")},\n  },`] : []),
    ...(body === undefined ? [] : [`body: JSON.stringify(${indent(json(body), "  ").replaceAll(QUOTED, "env.$1")}),`]),
  ];
  const given = options.length > 0 ? `, {\n  ${options.join("\n  ")}\n}` : "";
  return `import { env } from "node:process";

const answer = await fetch(\`\${env.GATE}${path.replaceAll(VARIABLE, (_, name) => `\${env.${name}}`)}\`${given});
console.log(answer.status, await answer.text());`;
}

function writePython({ method, path, authenticated, headers, body }: SampleRequest): string {
  const literal = (text: string) =>
    text
      .replaceAll(
        /(?<=^\s*(?:"[^"]*": )?)(true|false|null)(?=,?$)/gm,
        (value) => ({ true: "True", false: "False" })[value] ?? "None",
      )
      .replaceAll(QUOTED, 'environ["$1"]');
  const entries = headers
    .filter(([name]) => name !== "Content-Type")
    .map(([name, value]) => `"${name}": ${valueIn(value, (each) => `environ["${each}"]`)},`);
  const given = [
    `"${method}",`,
    `f"{environ['GATE']}${path.replaceAll(VARIABLE, "{environ['$1']}")}",`,
    ...(authenticated ? ['auth=(environ["CLIENT_ID"], environ["SECRET"]),'] : []),
    ...(entries.length > 0 ? [`headers={\n        ${entries.join("\n        ")}\n    },`] : []),
    ...(body === undefined ? [] : [`json=${indent(literal(json(body)), "    ")},`]),
  ];
  return `from os import environ

import requests

answer = requests.request(
    ${given.join("\n    ")}
)
print(answer.status_code, answer.text)`;
}

function writeJava({ method, path, authenticated, headers, body }: SampleRequest): string {
  const concatenated = path.replaceAll(VARIABLE, '" + env.get("$1") + "');
  const text = body === undefined ? "" : json(body);
  const names = new Set([...text.matchAll(VARIABLE)].map(([, name]) => name));
  const block = `"""\n${" ".repeat(12)}${indent(text.replaceAll("\\", "\\\\"), " ".repeat(12))}"""`;
  const filled = [...names].map((name) => `\n            .replace("{{${name}}}", env.get("${name}"))`).join("");
  const publisher = body === undefined ? "noBody()" : `ofString(${block}${filled})`;
  const calls = [
    ...(authenticated
      ? ['.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes()))']
      : []),
    ...headers.map(([name, value]) => `.header("${name}", ${valueIn(value, (each) => `env.get("${each}")`)})`),
    `.method("${method}", HttpRequest.BodyPublishers.${publisher})`,
    ".build();",
  ];
  return `import java.net.URI;
import java.net.http.*;
import java.util.Base64;

class Example {
  public static void main(String[] arguments) throws Exception {
    var env = System.getenv();${authenticated ? '\n    var credentials = env.get("CLIENT_ID") + ":" + env.get("SECRET");' : ""}
    var request = HttpRequest.newBuilder(URI.create(env.get("GATE") + "${concatenated}"))
        ${calls.join("\n        ")}
    var answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    System.out.println(answer.statusCode() + " " + answer.body());
  }
}`.replaceAll(' + ""', "");
}
