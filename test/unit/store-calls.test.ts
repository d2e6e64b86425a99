/**
 * Each call of a binding stands in a `callStore`, or the `askLedger` that has one, which makes its failure a 503 and ends its wait. Not those of imports and
 * refresh steps, whose run turns any failure into a failed step, and ends when its lease does; nor those of commands.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SOURCE = join(import.meta.dirname, "../../src");
const LEFT_OUT = /^(cli|client|reference|refresh|registers\/import)\/|^trust\/trust-import\.ts|^app\.ts|d\.ts$/;
const CALL = new RegExp(
  [
    /\.(?:run|raw|first|batch)(?:<[^()]*>)?\(|(?<!Promise)\.all(?:<[^()]*>)?\(/,
    /(?<!storage\.)\b(?:kv|KV|bucket|EVIDENCE|AUTHORIZATION_CODE)\.(?:get|put|list|delete|head)(?:<[^()]*>)?\(/,
    /_LIMITER\.limit\(|(?:RATE_WINDOW|LEDGER)\.getByName\(|\.sendBatch\(|\bASSETS\.fetch\(/,
    /\bledger\.(?:append|heads?|list|find|range|traffic|totals|state)\(/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

const WRAPPED = /\b(?:callStore|askLedger)\(/;

/** Without comments, and without what stands in a `callStore` or `askLedger`. */
function outside(text: string): string {
  let rest = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  for (let found = WRAPPED.exec(rest); found; found = WRAPPED.exec(rest)) {
    const at = found.index;
    let [end, depth] = [at + found[0].length - 1, 0];
    do {
      if (rest[end] === "(") depth++;
      if (rest[end] === ")") depth--;
      end++;
    } while (depth > 0 && end < rest.length);
    rest = rest.slice(0, at) + rest.slice(end);
  }
  return rest;
}

test("no call of a store goes round callStore", () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" });
  const found = files
    .filter((file) => /\.tsx?$/.test(file) && !LEFT_OUT.test(file))
    .map((file) => [file, outside(readFileSync(join(SOURCE, file), "utf8"))] as const)
    .flatMap(([file, text]) => [...text.matchAll(CALL)].map(([call]) => `${file}: ${call}`));
  // a KV whose calls stand in a callStore of those who read by it
  expect(found).toEqual(["psp-check/shared-reads.ts: kv.get(", "psp-check/shared-reads.ts: kv.get("]);
});

test("one that goes round it is found, whatever stands beside it", () => {
  const text = `
    await askLedger(env, fi.id, (ledger) => ledger.find(id)); // ledger.list(query)
    const stub = env.LEDGER.getByName(name);
    await callStore("assets", () => c.env.ASSETS.fetch(file)), c.env.ASSETS.fetch(file), ledger.head();`;
  const found = [...outside(text).matchAll(CALL)].map(([call]) => call);
  expect(found).toEqual(["LEDGER.getByName(", "ASSETS.fetch(", "ledger.head("]);
});
