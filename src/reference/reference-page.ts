/**
 * /docs, /docs/{operationId} and /docs/webhooks: the reference, made of the OpenAPI document. Each operation has a page of
 * its own, and what the service sends has one.
 */
import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { ENTRIES, type ErrorCode } from "../http/errors/every-code.ts";
import { LOCAL_ADDRESS, makeCode } from "./code-block.ts";
import { LONGEST, makeSamples, type SampledOperation, sampleOf } from "./code-samples.ts";
import { makeContent, slug } from "./markdown.ts";
import type {
  Example,
  JsonSchema,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
} from "./open-api.ts";
import { type Markup, type Menu, makeBadge, makePage } from "./page.ts";
import type { Fill } from "./sandbox-fill.ts";
import { fold, foldFields, MOST_OPEN, makeFields, makeSchema, paragraphs, resolve } from "./schema-fields.ts";
import { makeTryForm } from "./try-form.ts";

/** An operation with what the document says of it elsewhere. */
interface Described extends Omit<OpenApiOperation, "parameters">, SampledOperation {
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
        .map(({ operationId, summary, method }) => ({ href: `/docs/${operationId}`, title: summary, method })),
    })),
    { heading: "Webhooks", links: [WEBHOOKS] },
  ];
  const assets = ["reference.css"];
  const index = makePage({ title: "Reference", href: "/docs", menu, main: makeIndex(document, ordered), assets });
  const webhooks = makePage({ ...WEBHOOKS, menu, main: makeWebhooks(document), assets });
  const pages = new Map([
    ["docs", await index],
    [WEBHOOKS.href.slice(1), await webhooks],
  ]);
  for (const operation of ordered) {
    const [title, href] = [operation.summary, `/docs/${operation.operationId}`];
    const main = makeOperation(document, operation, fill);
    pages.set(
      href.slice(1),
      await makePage({ title, href, menu, main, wide: true, assets: [...assets, "reference.js"] }),
    );
  }
  return pages;
}

const WEBHOOKS = { href: "/docs/webhooks", title: "What a webhook gets" };

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

/** The first call stands where the document says what each has. */
async function makeIndex(
  { info, tags }: OpenApiDocument,
  operations: readonly Described[],
): Promise<HtmlEscapedString> {
  const [about = "", ...parts] = String(info["description"]).split(/^(?=## Versions)/m);
  const first = operations.find(({ operationId }) => operationId === "checkPsp");
  return html`<h1>Reference</h1>
<p>Base URL: <code><span data-address>${LOCAL_ADDRESS}</span></code></p>
${raw(await makeContent(about))}
${first && makeSamples(sampleOf(first, undefined))}
<p>Your operator gave you the credentials. Those of the sandbox are in <a href="/docs/first-check">First check in five minutes</a>.</p>
${raw(await makeContent(parts.join("")))}
<p>The same for programs: <a href="/openapi.json">OpenAPI 3.1</a>, <a href="/openapi.yaml">as YAML</a>. Every error is explained at <a href="/errors">Error codes</a>.</p>
${tags.map(
  ({ name, description }) => html`<h2 id="${slug(name)}">${name}</h2>
<p>${description}</p>
<ul class="operations">${operations
    .filter((each) => each.tags.includes(name))
    .map(
      ({ operationId, summary, method, path }) =>
        html`<li>${makeBadge(method)}<div><a href="/docs/${operationId}">${summary}</a><br><code>${path}</code></div></li>\n`,
    )}</ul>`,
)}
<h2 id="webhooks">Webhooks</h2>
<p>The service calls you: <a href="${WEBHOOKS.href}">${WEBHOOKS.title}</a>, an event of each type.</p>`;
}

function makeWebhooks(document: OpenApiDocument): Markup {
  const types = Object.entries(document.webhooks);
  const [
    ,
    {
      post: { parameters, responses },
    } = { post: { parameters: [], responses: {} } },
  ] = types[0] ?? [];
  return html`<p class="version"><a href="/docs">Reference</a> › Webhooks</p>
<h1>${WEBHOOKS.title}</h1>
<p class="lead">The service sends each event by POST to your address. <a href="/docs/events#be-notified">Events</a> shows how to verify it, and when it comes again.</p>
<h2 id="headers">Headers</h2>
${makeFields(parameters.map((parameter) => asField(resolve<OpenApiParameter>(document, parameter))))}
<h2 id="answer">Your answer</h2>
<dl>${Object.entries(responses)
    .toReversed()
    .map(
      ([status, response]) =>
        html`<dt>${status}</dt><dd>${resolve<OpenApiResponse>(document, response).description}</dd>\n`,
    )}</dl>
${types.map(([type, { post }]) => {
  const media = post.requestBody?.content["application/json"];
  return html`<h2 id="${slug(type)}"><code>${type}</code></h2>
${paragraphs(`${post.summary}. ${post.description}`)}
${makeExamples(Object.values(media?.examples ?? {}))}
<details class="fold"><summary>Its fields</summary>${media && makeSchema(resolve<JsonSchema>(document, media.schema))}</details>`;
})}`;
}

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
  const [done = ["", { description: "" }], ...refusals] = answers;
  const example = examples[0]?.value;
  const [answered] = exampleAnswers(done);
  return html`<div class="operation"><div class="intro"><p class="version"><a href="/docs">Reference</a> › <a href="/docs#${slug(tag)}">${tag}</a></p>
<h1>${summary}</h1>
<p class="endpoint">${makeBadge(method)}<code>${path}</code> <span>${security.length > 0 ? html`<a href="/docs#authentication">Basic credentials</a>` : "No credentials"}</span></p>
${paragraphs(description)}</div>
<div class="beside"><h2 id="samples">Code samples</h2>
${makeSamples(sampleOf(operation, example))}${answered && showJson(answered.value, answered.summary)}
<h2 id="try">Try it</h2>
${makeTryForm({ ...operation, example }, security.length > 0, fill)}</div>
<div class="rest"><h2 id="request">Request</h2>
${PLACES.map(([place, title]) => {
  const here = parameters.filter((parameter) => parameter.in === place);
  return here.length > 0 && html`<h3>${title}</h3>${makeFields(here.map(asField))}`;
})}
${media && html`<h3>Body</h3><p>${Object.keys(requestBody?.content ?? {}).map((type, i) => html`${i > 0 && " or "}<code>${type}</code>`)}</p>${makeSchema(resolve<JsonSchema>(document, media.schema))}${makeExamples(examples)}`}
<h2 id="answer">Answer</h2>
${makeAnswer(document, ...done)}
<h2 id="errors">Errors</h2>
${refusals.map(([status, response]) => makeRefusal(document, status, response))}
<h2 id="headers">Headers of answers</h2>
${makeHeaders(document, answers)}</div></div>`;
}

const asField = ({ name, required, description, schema, example = "" }: OpenApiParameter) => ({
  ...{ name, required, description },
  schema: schema.enum || String(example).length > LONGEST ? schema : { ...schema, examples: [example] },
});

/** Of a text of an example: of a certificate nobody reads all. /openapi.json has it whole. */
const LONGEST_SHOWN = 300;

const showJson = async (value: unknown, title: string): Promise<HtmlEscapedString> => {
  const cut = (_: string, each: unknown) =>
    typeof each === "string" && each.length > LONGEST_SHOWN ? `${each.slice(0, LONGEST)}…` : each;
  // a short list without objects is one line
  const text = JSON.stringify(value, cut, 2).replaceAll(
    /\[\s+([^[\]{}]{1,80}?)\s+\]/g,
    (_, list: string) => `[${list.replaceAll(/\n\s+/g, " ")}]`,
  );
  return raw(await makeCode({ text, language: "json", title }));
};

const exampleAnswers = ([, { content = {} }]: Described["answers"][number]): readonly Example[] =>
  Object.values(Object.values(content)[0]?.examples ?? {});

const makeExamples = (examples: readonly Example[]): Markup =>
  html`${examples.map(
    ({ summary, value }) =>
      html`<details><summary>Example: ${summary}</summary>${showJson(value, summary)}</details>\n`,
  )}`;

function makeAnswer(document: OpenApiDocument, status: string, { description, content = {} }: OpenApiResponse): Markup {
  const [[type, media] = []] = Object.entries(content);
  const forms = media?.schema.anyOf ?? media?.schema.oneOf ?? (media ? [media.schema] : []);
  const versionOf = (form: JsonSchema) => resolve<JsonSchema>(document, form as { $ref: string })["x-version"];
  // what a bank reads first has all fields
  const ordered = forms.toSorted((a, b) => Number(versionOf(b) === "latest") - Number(versionOf(a) === "latest"));
  return html`<p><b>${status}</b> ${description}${type ? html` Type: <code>${type}</code>.` : " The answer has no body."}</p>
${makeExamples(Object.values(media?.examples ?? {}).slice(1))}
${ordered.map((form) => {
  const schema = resolve<JsonSchema>(document, form as { $ref: string });
  const version = versionOf(form);
  const name = form.$ref
    ?.split("/")
    .at(-1)
    ?.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase();
  return html`${version ? html`<h3 id="version-${version}">Version ${version}</h3>` : forms.length > 1 && html`<h3>An ${name}</h3>`}${foldFields(schema)}`;
})}`;
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
${codes.length > 0 ? fold(`${codes.length} codes`, codes.length > MOST_OPEN, html`<ul class="errors">${codes.map((code) => html`<li><a href="/errors/${code}"><code>${code}</code></a> ${ENTRIES[code].title}</li>\n`)}</ul>`) : media && makeSchema(resolve<JsonSchema>(document, media.schema))}
${makeExamples(Object.values(media?.examples ?? {}))}`;
}

function makeHeaders(document: OpenApiDocument, answers: Described["answers"]): Markup {
  // one that has another meaning at some answers has several rows
  const rows = new Map(
    answers.flatMap(([, { headers = {} }]) => Object.entries(headers).map(([name, { $ref }]) => [$ref, name])),
  );
  const fields = makeFields(
    [...rows].map(([$ref, name]) => {
      const having = answers.filter(([, { headers = {} }]) => headers[name]?.$ref === $ref).map(([status]) => status);
      const { description, schema, example } = resolve(document, { $ref }) as unknown as OpenApiParameter;
      const only = having.length < answers.length ? ` With ${having.join(", ")}.` : "";
      return {
        name,
        description: `${description}${only}`,
        schema: { ...schema, ...(example !== undefined && { examples: [example] }) },
      };
    }),
  );
  return fold(`${rows.size} headers`, rows.size > MOST_OPEN, fields);
}
