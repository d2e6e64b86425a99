import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { XML_ENTITIES } from "../../../../src/trust/lists/xml-entities.ts";

const require = createRequire(import.meta.url);
const folder = dirname(require.resolve("@xmldom/xmldom"));

test("the XML entities built into the Worker are those of the library", () => {
  const library = require(join(folder, "entities.js"));
  expect(Object.entries(XML_ENTITIES)).toEqual(Object.entries(library.XML_ENTITIES));
  expect(Object.getPrototypeOf(XML_ENTITIES)).toBeNull();
});

test("the library imports them by the name that wrangler.toml replaces, in one place", () => {
  const parser = readFileSync(join(folder, "dom-parser.js"), "utf8");
  expect(parser.match(/require\('\.\/entities'\)/g)).toHaveLength(1);
});
