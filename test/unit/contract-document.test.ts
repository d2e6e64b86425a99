/** The document says what the code does: forms that are taken, names of registers and services, roles. */
import { describe, expect, test } from "vitest";
import { paymentServicesOf } from "../../src/eidas/roles.ts";
import { EVENT_TYPES } from "../../src/events/event.ts";
import { parseDateTime } from "../../src/grants/date-times.ts";
import { PAYMENT_SERVICES } from "../../src/psp-check/psp-report.ts";
import { buildDocument } from "../../src/reference/document.ts";
import type { JsonSchema } from "../../src/reference/open-api.ts";
import { CATEGORIES } from "../../src/registers/psp-record.ts";
import { eventList } from "../../src/routes/events.answer.ts";

const document = buildDocument();

function fieldOf(name: string, path: string): JsonSchema {
  let schema = document.components.schemas[name];
  for (const step of path.split(".")) schema = step === "[]" ? schema?.items : schema?.properties?.[step];
  if (!schema) throw new Error(`${name} has no ${path}`);
  return schema;
}

describe("24: a date-time that is sent", () => {
  const dates = ["expiration", "transaction_from", "transaction_to"].map((name) =>
    fieldOf("AccountAccessConsentRequest", `data.${name}_date_time`),
  );
  const queries = document.paths["/v1/audit/records"]?.["get"]?.parameters.flatMap((each) =>
    "name" in each && ["from", "to"].includes(each.name) ? [each.schema] : [],
  );

  test("has no format, since RFC 3339 is only one of the forms that are taken", () => {
    expect(queries).toHaveLength(2);
    for (const { format, pattern } of [...dates, ...(queries ?? [])])
      expect([format, typeof pattern]).toEqual([undefined, "string"]);
  });

  test.each([
    "2030-01-01T00:00:00Z",
    "2030-01-01t00:00z",
    "20300101T000000+0200",
    "2030-01-01T00:00:00,5-03",
    "2026-W47-6T03:07:23Z",
    "2026-325T03:07:23Z",
    "2030-13-01T00:00:00Z",
    "2030-01-01T24:00:00Z",
    "2030-01-01T00:00:00",
    "2030-01-01",
    "20300101T00:00:00Z",
  ])("is taken by the pattern as it is by the service: %s", (text) => {
    for (const { pattern = "" } of dates)
      expect(new RegExp(pattern, "u").test(text)).toBe(parseDateTime(text) !== null);
  });

  test("may be empty in a consent: open ended", () => {
    for (const { type, pattern = "" } of dates)
      expect([type, new RegExp(pattern, "u").test("")]).toEqual([["string", "null"], true]);
  });
});

describe("24: the PSP check's texts", () => {
  test("name all register categories", () => {
    for (const register of ["homeRegister", "hostRegister"]) {
      const { description } = fieldOf("PspCheck", `${register}.categoryEntries.[].categoryName`);
      for (const category of CATEGORIES) expect(description).toContain(`\`${category}\``);
    }
  });

  test("name all payment services", () => {
    const { description } = fieldOf("PspCheck", "homeRegister.categoryEntries.[].pspPaymentServices");
    expect(Object.keys(PAYMENT_SERVICES)).toHaveLength(8);
    for (const [number, words] of Object.entries(PAYMENT_SERVICES)) expect(description).toContain(`${number} ${words}`);
  });

  test("map each role to its payment services", () => {
    const ROLES = {
      PSP_AS: "0.4.0.19495.1.1",
      PSP_PI: "0.4.0.19495.1.2",
      PSP_AI: "0.4.0.19495.1.3",
      PSP_IC: "0.4.0.19495.1.4",
    };
    const description = document.paths["/v1/psp/eidas"]?.["get"]?.description ?? "";
    for (const [name, oid] of Object.entries(ROLES)) {
      const services = paymentServicesOf([{ oid, name }]);
      const said = services.length === 1 ? String(services[0]) : `${services[0]} to ${services.at(-1)}`;
      expect(description).toMatch(new RegExp(`\`${name}\`[^,.]*(?:, CBPII\\))? for ${said}\\b`));
    }
  });
});

test("24: the tokens of an account are listed in the order that the code gives them", () => {
  const { description } = fieldOf("TokenList", "data");
  expect(description).toMatch(/active tokens first, then those that have ended; of each the one with the latest `exp`/);
});

describe("26: webhooks", () => {
  test("there is one for each type of event, with its own form", () => {
    expect(Object.keys(document.webhooks).sort()).toEqual([...EVENT_TYPES].sort());
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const name = post.requestBody?.content["application/json"]?.schema.$ref?.split("/").at(-1) ?? "";
      expect(fieldOf(name, "type").const).toBe(type);
    }
  });

  test("each has an example of its form, with no other field", () => {
    const examples = Object.values(document.webhooks).map(
      ({ post }) => post.requestBody?.content["application/json"]?.examples?.["delivered"]?.value,
    );
    expect(eventList.parse({ data: examples, next_after: "" }).data).toEqual(examples);
  });
});
