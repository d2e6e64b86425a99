/**
 * /docs/psp-gate.http: both flows as requests for an editor, from the document's examples, in the form of the REST Client
 * extensions (VS Code's REST Client, httpYac): a request has a name, and later ones read its answer.
 */

import { LOCAL_ADDRESS } from "./code-block.ts";
import type { Fill } from "./sandbox-fill.ts";
import { type ExampleDetails, requestOf, STORY, type Step } from "./story.ts";

/** Null: names to fill in stand for what only the sandbox has. */
export function makeHttpFile(fill: Fill | null): string {
  const known: Record<string, string> = {};
  const requests = STORY.map((step, i) => {
    const request = requestOf(step, known);
    const name = `${step.name}${i + 1}`;
    for (const [learnt, way] of Object.entries(step.learns ?? {}))
      known[learnt] = `{{${name}.response.body.$.${way.replaceAll(/\.(\d+)/g, "[$1]")}}}`;
    return writeRequest(step, name, request);
  });
  return `${[writeVariables(fill), ...requests].join("\n\n")}\n`;
}

const certificateName = (name: string): string => `psp_${name.replaceAll("-", "_")}`;

function writeVariables(fill: Fill | null): string {
  const text = JSON.stringify(STORY.map(({ request }) => request));
  const names = new Set([...text.matchAll(CERTIFICATE)].map(([, name]) => name ?? ""));
  const about = fill
    ? "The sandbox of npm start. Send the requests from top to bottom: later ones use earlier answers."
    : "Fill in your own values. The certificates are those of PSPs: base64 of the DER, in one line.";
  return [
    `# ${about}`,
    `@gate = ${LOCAL_ADDRESS}`,
    `@client_id = ${fill?.username ?? "YOUR_CLIENT_ID"}`,
    `@secret = ${fill?.password ?? "YOUR_SECRET"}`,
    `@fi_reference_id = ${fill?.fiReferenceId ?? "YOUR_FI_REFERENCE_ID"}`,
    // the countries of the story: the PSP's own, and another one
    `@home = ${fill ? "XX" : "FI"}`,
    `@abroad = ${fill ? "XY" : "SE"}`,
    ...[...names].map((name) => `@${certificateName(name)} = ${fill?.certificates[name] ?? "A_CERTIFICATE"}`),
  ].join("\n");
}

const decodeBraces = (encoded: string): string =>
  encoded.replaceAll(/%7B%7B(.*?)%7D%7D/g, (_, variable: string) => `{{${decodeURIComponent(variable)}}}`);

const CERTIFICATE = /\{\{((?:[a-z]+-)+\w+)\}\}/g;

function writeRequest({ operation, summary, status }: Step, name: string, request: ExampleDetails): string {
  const { parameters = {}, query = {}, headers = {}, body } = request;
  const place = operation.replaceAll(/\{(\w+)\}/g, (_, parameter) => parameters[parameter] ?? "");
  // what an earlier answer has is a variable, which the editor fills in: its braces are not encoded
  const search = Object.keys(query).length === 0 ? "" : `?${decodeBraces(`${new URLSearchParams(query)}`)}`;
  const target = `${place}${search}`
    .replace(" ", " {{gate}}")
    .replace("=XX", "={{home}}")
    .replace("=XY", "={{abroad}}");
  const all = {
    Authorization: "Basic {{client_id}}:{{secret}}",
    fi_reference_id: "{{fi_reference_id}}",
    version: "1",
    ...headers,
    ...(body !== undefined && { "Content-Type": "application/json" }),
  };
  const lines = [
    `### ${summary}: ${status}`,
    `# @name ${name}`,
    target,
    ...Object.entries(all).map(([header, value]) => `${header}: ${value}`),
    ...(body === undefined ? [] : ["", JSON.stringify(body, null, 2)]),
  ];
  return lines.join("\n").replaceAll(CERTIFICATE, (_, certificate: string) => `{{${certificateName(certificate)}}}`);
}
