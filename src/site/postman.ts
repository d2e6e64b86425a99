/**
 * /docs/postman.json: a Postman collection, converted from the document by Postman's own converter. What its requests send
 * is taken from the document's story, because the converter invents values: so they can be sent from top to bottom, and a
 * later request has what an earlier one was answered.
 */
import { convertV2 } from "openapi-to-postmanv2";
import { STORY, type Step } from "../contract/story.ts";
import type { Fill } from "./sandbox-fill.ts";

interface Field {
  readonly key: string;
  readonly value: unknown;
}

interface Item {
  readonly name: string;
  readonly item?: Item[];
  readonly request?: {
    readonly method: string;
    readonly url: { readonly path: readonly string[]; readonly query: Field[]; readonly variable: Field[] };
    readonly header: Field[];
    readonly body?: { readonly raw?: string };
  };
}

interface Collection {
  readonly info: { readonly _postman_id?: string };
  readonly item: Item[];
}

/** `fill`: null, then variables of the collection stand for what only the sandbox has. */
export async function makePostmanCollection(document: object, fill: Fill | null): Promise<string> {
  const { info, item, ...collection } = await convert(document);
  const { _postman_id, ...about } = info;
  const set = (key: string, value: string) => ({ key, value, type: "string" });
  return JSON.stringify({
    ...collection,
    info: about,
    item: item.map((folder) => ({ name: folder.name, item: tellStory(folder.item ?? [], fill) })),
    auth: { type: "basic", basic: [set("username", "{{client_id}}"), set("password", "{{secret}}")] },
    variable: [
      set("baseUrl", fill ? "http://127.0.0.1:8787" : "https://gate.example"),
      set("client_id", fill?.username ?? ""),
      set("secret", fill?.password ?? ""),
      set("fi_reference_id", fill?.fiReferenceId ?? ""),
      set("psp", fill?.certificates["scenario-1"] ?? ""),
    ],
  });
}

function convert(document: object): Promise<Collection> {
  const options = {
    folderStrategy: "Tags",
    enableOptionalParameters: false,
    alwaysInheritAuthentication: true,
    schemaFaker: false,
  } as const;
  return new Promise((resolve, reject) => {
    // a copy: the converter writes into what it is given
    convertV2({ type: "json", data: structuredClone(document) }, options, (error, result) => {
      const collection = result?.output?.[0]?.data;
      if (error || !collection)
        reject(new Error(`the document was not converted: ${error?.message ?? result?.reason}`));
      else resolve(collection as unknown as Collection);
    });
  });
}

/** The requests of a folder in the story's order, one for each step that succeeds. */
function tellStory(items: readonly Item[], fill: Fill | null): object[] {
  const told = STORY.flatMap((step) => {
    const item = items.find((each) => nameOf(each) === step.operation);
    return item && step.status < 300 ? [{ item, step }] : [];
  });
  const untold = items.find((item) => !told.some((each) => each.item === item));
  if (untold) throw new Error(`${nameOf(untold)} is in no step of the story: src/contract/story.ts`);
  return told.map(({ item, step }) => writeItem(item, step, fill));
}

/** What a request learns from an earlier one is a variable of the collection. */
const VARIABLES: Readonly<Record<string, string>> = new Proxy({}, { get: (_, name) => `{{${String(name)}}}` });

/** As in endpoints.ts. */
const nameOf = ({ request }: Item): string =>
  `${request?.method} /${request?.url.path.map((part) => part.replace(/^:(\w+)$/, "{$1}")).join("/")}`;

function writeItem(item: Item, step: Step, fill: Fill | null): object {
  // without its id, which is another one each time, and its answers, which are invented
  const { name, request: converted } = item;
  if (!converted) throw new Error(`${name} has no request`);
  const { body: invented, ...rest } = converted;
  const { query = {}, parameters = {}, body, headers: more } = step.request(VARIABLES);
  const headers: Record<string, string> = { fi_reference_id: "{{fi_reference_id}}", version: "1", ...more };
  const named = (fields: readonly Field[], values: Readonly<Record<string, string>>) =>
    fields.flatMap((field) => {
      const value = values[field.key] ?? (field.key === "Content-Type" || field.key === "Accept" ? field.value : null);
      return value === null ? [] : [{ ...field, disabled: false, value: certificateIn(value, fill) }];
    });
  const learns = Object.entries(step.learns ?? {}).map(
    ([learnt, way]) =>
      `pm.collectionVariables.set(${JSON.stringify(learnt)}, answer${way.map((key) => `?.[${JSON.stringify(key)}]`).join("")});`,
  );
  return {
    name: `${name}: ${step.summary}`,
    request: {
      ...rest,
      header: named(converted.header, headers),
      url: {
        ...converted.url,
        query: named(converted.url.query, query),
        variable: named(converted.url.variable, parameters),
      },
      ...(body !== undefined && {
        body: { ...invented, mode: "raw", raw: JSON.stringify(certificateIn(body, fill), null, 2) },
      }),
    },
    ...(learns.length > 0 && {
      event: [{ listen: "test", script: { exec: ["const answer = pm.response.json();", ...learns] } }],
    }),
  };
}

/** A certificate of the story: the collection's variable, or another one of the sandbox. */
const certificateIn = (value: unknown, fill: Fill | null): unknown =>
  JSON.parse(
    JSON.stringify(value).replaceAll(/\{\{((?:[a-z]+-)+\w+)\}\}/g, (_, name: string) =>
      name === "scenario-1" ? "{{psp}}" : (fill?.certificates[name] ?? "{{psp}}"),
    ),
  );
