/** /docs and /docs/{operationId}: the reference, made of the OpenAPI document. Each operation has a page of its own. */
import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { ENTRIES, type ErrorCode } from "../http/errors/every-code.ts";
import { makeCode } from "./code-block.ts";
import { LONGEST, makeSamples, shortened } from "./code-samples.ts";
import { slug } from "./markdown.ts";
import type {
  Example,
  JsonSchema,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
} from "./open-api.ts";
import { type Markup, type Menu, makePage } from "./page.ts";
import type { Fill } from "./sandbox-fill.ts";
import { makeFields, makeSchema, paragraphs, resolve } from "./schema-fields.ts";

/** An operation with what the document says of it elsewhere. */
interface Described extends Omit<OpenApiOperation, "parameters"> {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly OpenApiParameter[];
  readonly answers: readonly (readonly [status: string, response: OpenApiResponse])[];
}

/** The pages by their paths below the site's root, without the ending. `fill`: what "try it" has in its fields already. */
export async function makeReferencePages(document: OpenApiDocument, fill: Fill | null): Promise<Map<string, string>> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => describe(document, method.toUpperCase(), path, operation)),
  );
  const ordered = document.tags.flatMap(({ name }) => operations.filter(({ tags }) => tags.includes(name)));
  const menu: Menu = [
    { heading: "Reference", links: [{ href: "/docs", title: "All operations" }] },
    ...document.tags.map(({ name }) => ({
      heading: name,
      links: ordered
        .filter(({ tags }) => tags.includes(name))
        .map(({ operationId, summary }) => ({ href: `/docs/${operationId}`, title: summary })),
    })),
  ];
  const assets = ["reference.css"];
  const index = makePage({ title: "Reference", href: "/docs", menu, main: makeIndex(document, ordered), assets });
  const pages = new Map([["docs", await index]]);
  for (const operation of ordered) {
    const [title, href] = [operation.summary, `/docs/${operation.operationId}`];
    const main = makeOperation(document, operation, fill);
    pages.set(href.slice(1), await makePage({ title, href, menu, main, assets: [...assets, "reference.js"] }));
  }
  return pages;
}

const describe = (document: OpenApiDocument, method: string, path: string, operation: OpenApiOperation): Described => ({
  ...operation,
  method,
  path,
  parameters: operation.parameters.map((parameter) => resolve<OpenApiParameter>(document, parameter)),
  answers: Object.entries(operation.responses).map(([status, response]) => [
    status,
    resolve<OpenApiResponse>(document, response),
  ]),
});

const badge = (method: string): Markup => html`<span class="method ${method.toLowerCase()}">${method}</span>`;

const makeIndex = ({ info, tags }: OpenApiDocument, operations: readonly Described[]): Markup =>
  html`<h1>Reference</h1>
${paragraphs(String(info["description"]))}
<p>The same for programs: <a href="/openapi.json">OpenAPI 3.1</a>, <a href="/openapi.yaml">as YAML</a>. Every error is explained at <a href="/errors">Error codes</a>.</p>
${tags.map(
  ({ name, description }) => html`<h2 id="${slug(name)}">${name}</h2>
<p>${description}</p>
<ul class="operations">${operations
    .filter((each) => each.tags.includes(name))
    .map(
      ({ operationId, summary, method, path }) =>
        html`<li>${badge(method)}<div><a href="/docs/${operationId}">${summary}</a><br><code>${path}</code></div></li>\n`,
    )}</ul>`,
)}`;

const PLACES = [
  ["path", "In the path"],
  ["query", "In the query"],
  ["header", "Headers"],
] as const;

function makeOperation(document: OpenApiDocument, operation: Described, fill: Fill | null): Markup {
  const { method, path, summary, description, tags, parameters, requestBody, answers, security } = operation;
  const [tag = ""] = tags;
  const media = requestBody?.content["application/json"];
  const examples = Object.values(media?.examples ?? {});
  const [done, ...refusals] = answers;
  return html`<p class="version"><a href="/docs">Reference</a> › <a href="/docs#${slug(tag)}">${tag}</a></p>
<h1>${summary}</h1>
<p class="endpoint">${badge(method)} <code>${path}</code></p>
${paragraphs(description)}
<p>${security.length > 0 ? "With the bank's Basic credentials." : "Open to everybody: no credentials are needed."}</p>
<h2 id="request">Request</h2>
${PLACES.map(([place, title]) => {
  const here = parameters.filter((parameter) => parameter.in === place);
  return here.length > 0 && html`<h3>${title}</h3>${makeFields(here.map(asField))}`;
})}
${media && html`<h3>Body</h3><p>${Object.keys(requestBody?.content ?? {}).map((type, i) => html`${i > 0 && " or "}<code>${type}</code>`)}</p>${makeSchema(resolve<JsonSchema>(document, media.schema))}${makeExamples(examples)}`}
<h2 id="samples">Code samples</h2>
${makeSamples(sampleOf(operation, examples[0]?.value))}
<h2 id="try">Try it</h2>
${makeTryForm({ ...operation, example: examples[0]?.value }, security.length > 0, fill)}
<h2 id="answer">Answer</h2>
${done && makeAnswer(document, ...done)}
<h2 id="errors">Errors</h2>
${refusals.map(([status, response]) => makeRefusal(document, status, response))}
<h2 id="headers">Headers of answers</h2>
${makeHeaders(document, answers)}`;
}

const asField = ({ name, required, description, schema, example = "" }: OpenApiParameter) => ({
  ...{ name, required, description },
  schema: schema.enum || String(example).length > LONGEST ? schema : { ...schema, examples: [example] },
});

function sampleOf({ method, path, parameters, security }: Described, body: unknown) {
  const needed = parameters.filter(({ required }) => required);
  const value = ({ name, example }: OpenApiParameter) => shortened(name, String(example ?? name));
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

const showJson = async (value: unknown, title: string): Promise<HtmlEscapedString> =>
  raw(await makeCode({ text: JSON.stringify(value, null, 2), language: "json", title }));

const makeExamples = (examples: readonly Example[]): Markup =>
  html`${examples.map(
    ({ summary, value }) =>
      html`<details><summary>Example: ${summary}</summary>${showJson(value, summary)}</details>\n`,
  )}`;

function makeAnswer(document: OpenApiDocument, status: string, { description, content = {} }: OpenApiResponse): Markup {
  const [[type, media] = []] = Object.entries(content);
  const forms = media?.schema.anyOf ?? media?.schema.oneOf ?? (media ? [media.schema] : []);
  return html`<p><b>${status}</b> ${description}${type ? html` Type: <code>${type}</code>.` : " The answer has no body."}</p>
${forms.map((form) => {
  const schema = resolve<JsonSchema>(document, form as { $ref: string });
  const version = schema["x-version"];
  const name = form.$ref
    ?.split("/")
    .at(-1)
    ?.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase();
  return html`${version ? html`<h3 id="version-${version}">Version ${version}</h3>` : forms.length > 1 && html`<h3>An ${name}</h3>`}${makeSchema(schema)}`;
})}
${makeExamples(Object.values(media?.examples ?? {}))}`;
}

/** With the codes that the document names; each leads to its cause and cure. */
function makeRefusal(
  document: OpenApiDocument,
  status: string,
  { description, content = {} }: OpenApiResponse,
): Markup {
  const media = content["application/json"];
  const codes = (media?.schema.allOf ?? []).flatMap(
    (part) => part.properties?.["errors"]?.items?.properties?.["code"]?.enum ?? [],
  ) as ErrorCode[];
  return html`<h3 id="status-${status}">${status}</h3>
<p>${description}</p>
${codes.length > 0 ? html`<ul class="errors">${codes.map((code) => html`<li><a href="/errors#${code}"><code>${code}</code></a> ${ENTRIES[code].title}</li>\n`)}</ul>` : media && makeSchema(resolve<JsonSchema>(document, media.schema))}
${makeExamples(Object.values(media?.examples ?? {}))}`;
}

function makeHeaders(document: OpenApiDocument, answers: Described["answers"]): Markup {
  const names = [...new Set(answers.flatMap(([, { headers = {} }]) => Object.keys(headers)))];
  return makeFields(
    names.map((name) => {
      const having = answers.filter(([, { headers = {} }]) => name in headers).map(([status]) => status);
      const { description, schema, example } = resolve(document, {
        $ref: `#/components/headers/${name}`,
      }) as unknown as OpenApiParameter;
      const only = having.length < answers.length ? ` With ${having.join(", ")}.` : "";
      return {
        name,
        description: `${description}${only}`,
        schema: { ...schema, ...(example !== undefined && { examples: [example] }) },
      };
    }),
  );
}

/** "Try it": a form that assets/reference.js sends to the service that the page is of. */
interface Tried {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly OpenApiParameter[];
  readonly example: unknown;
}

const makeTryForm = ({ method, path, parameters, example }: Tried, authenticated: boolean, fill: Fill | null): Markup =>
  html`<form class="try" data-method="${method}" data-path="${path}">
${
  authenticated &&
  html`<label>Client id<input name="client_id" autocomplete="off" value="${fill?.username ?? ""}"></label>
<label>Secret<input name="secret" type="password" autocomplete="off" value="${fill?.password ?? ""}"></label>`
}
${parameters.map(makeInput)}
${example !== undefined && html`<label class="wide">Body<textarea name="body" rows="${Math.min(16, JSON.stringify(example, null, 2).split("\n").length)}" spellcheck="false">\n${JSON.stringify(example, null, 2)}</textarea></label>`}
<p class="wide"><button disabled>Send</button> <span>to this service. What you type is kept nowhere.</span></p>
<noscript><p class="wide">The form needs a script. The code samples do without.</p></noscript>
<div class="wide result" role="status"></div>
</form>`;

/** What may be left out is empty, and shows an example. A certificate may have line breaks. */
function makeInput({ name, in: place, required = false, schema, example = "" }: OpenApiParameter): Markup {
  const values = schema.enum;
  const field = values
    ? html`<select name="${name}" data-in="${place}">${!required && html`<option></option>`}${values.map((value) => html`<option${value === example && " selected"}>${value}</option>`)}</select>`
    : (schema.maxLength ?? 0) > 1_000
      ? html`<textarea name="${name}" data-in="${place}" rows="1" spellcheck="false"${required && " required"}>${required ? example : ""}</textarea>`
      : html`<input name="${name}" data-in="${place}" autocomplete="off" spellcheck="false"${required && " required"} ${required ? "value" : "placeholder"}="${example}">`;
  return html`<label>${name}${required || html` <small>optional</small>`}${field}</label>\n`;
}
