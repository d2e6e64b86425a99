/** What a reader copies from the reference is a request that the service takes. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { makeSamples, sampleOf } from "../../../src/reference/code-samples.ts";
import { buildDocument } from "../../../src/reference/document.ts";
import { makeGuidePages } from "../../../src/reference/guide-pages.ts";
import type { JsonSchema, OpenApiParameter } from "../../../src/reference/open-api.ts";
import { resolve } from "../../../src/reference/schema-fields.ts";

test("each sample has a value that its parameter takes, and a body that its schema takes", () => {
  const document = buildDocument();
  const ajv = new Ajv2020({ strict: false, logger: false, formats: { "date-time": true, uri: true, date: true } });
  ajv.addSchema(document, "document");
  const takes = (schema: JsonSchema, value: unknown) =>
    ajv.validate(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')), value);
  const wrong: unknown[] = [];
  let values = 0;
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const parameters = operation.parameters.map((each) => resolve<OpenApiParameter>(document, each));
      const media = operation.requestBody?.content["application/json"];
      const example = Object.values(media?.examples ?? {})[0]?.value;
      if (media && !takes(media.schema, example)) wrong.push([operation.operationId, example, ajv.errors]);
      const sample = sampleOf({ ...operation, method, path, parameters }, example);
      const { pathname, searchParams } = new URL(sample.path, "http://gate");
      const inPath = new RegExp(path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")).exec(pathname)?.groups ?? {};
      const sent = {
        path: Object.entries(inPath).map(([name, value]) => [name, decodeURIComponent(value)]),
        query: [...searchParams],
        header: sample.headers,
      };
      for (const { name, in: place, required, schema } of parameters.filter((each) => each.required)) {
        const value = sent[place].find(([each]) => each === name)?.[1];
        values++;
        // what is too long, and what differs from bank to bank, is a variable of its name
        if (value === `{{${name.toUpperCase()}}}`) continue;
        if (required && (value === name || !takes(schema, value))) wrong.push([operation.operationId, name, value]);
      }
    }
  expect(wrong).toEqual([]);
  expect(values).toBeGreaterThan(100);
});

test("the languages of guides and of the reference have the same names in the same order: a choice is kept", async () => {
  const request = { method: "GET", path: "/health", authenticated: false, headers: [] };
  const pages = [String(await makeSamples(request)), ...(await makeGuidePages()).values()];
  const groups = pages.flatMap((page) =>
    [...page.matchAll(/<div class="tabs".*?\n(.*)\n/g)].map(([, labels = ""]) =>
      [...labels.matchAll(/value="(.*?)"/g)].map(([, title]) => title).join(),
    ),
  );
  const ofCalls = groups.filter((titles) => titles.includes("curl"));
  expect(ofCalls.length).toBeGreaterThan(25);
  expect(new Set(ofCalls)).toEqual(new Set(["curl,Python,Java,Node"]));
});
