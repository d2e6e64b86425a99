/** The pages of error codes: where `errors[].link` leads, and what is said of each code. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WARNINGS } from "../../../src/eidas/every-warning.ts";
import { CATALOGUE } from "../../../src/http/errors/error-response.ts";
import { type ErrorCode, HEADINGS } from "../../../src/http/errors/every-code.ts";
import { REASONS } from "../../../src/psp-check/every-reason.ts";
import { slug } from "../../../src/reference/markdown.ts";
import { askForToken, BASE_URL } from "./bank.ts";
import { BROWSER, keepScreenshot, LOOKS, launch, show } from "./page-audit.ts";

const read = async (path: string) => (await fetch(`${BASE_URL}${path}`)).text();

test("every code of the catalogue has an anchor that leads to its page, with all that is said of it", async () => {
  const index = await read("/errors");
  for (const code of CATALOGUE.keys()) {
    const [, item = "", ...more] = index.split(`id="${code}"`);
    expect([code, item.slice(0, 100), more]).toEqual([
      code,
      expect.stringContaining(`><a href="/errors/${code}">`),
      [],
    ]);
    const page = await read(`/errors/${code}`);
    const labels = page.match(/(?<=<dt>)\w+/g);
    expect([code, labels]).toEqual([code, ["Status", "Rule", "Cause", "Cure", "Example", "Retry", "Whose"]]);
    expect(page).toContain(`<h1><code>${code}</code></h1>`);
  }
});

test("the page of each group has its codes, and the page of a code the others of its group and where it comes", async () => {
  for (const { heading, codes } of HEADINGS) {
    const group = await read(`/errors/${slug(heading)}`);
    for (const code of codes) expect(group).toContain(`<a href="/errors/${code}"><code>${code}</code></a>`);
    const page = await read(`/errors/${codes[0]}`);
    for (const code of codes) expect(page).toContain(`<a href="/errors/${code}"`);
  }
  expect(await read("/errors/cursor_invalid")).toContain(
    "404 at GET /v1/oauth2/account/{account_id}/tokens; 400 elsewhere",
  );
  expect(await read("/errors/code_used")).toMatch(/Where it comes.*href="\/docs\/createCoreToken"/s);
});

test("every reason of a decision and every warning of the PSP check is explained", async () => {
  const [reasons, warnings] = await Promise.all(["/errors/reasons", "/errors/warnings"].map(read));
  for (const code of Object.keys(REASONS)) expect(reasons).toContain(`<li id="reason-${code}"><code>${code}</code>`);
  for (const code of Object.keys(WARNINGS)) expect(warnings).toContain(`<li id="warning-${code}"><code>${code}</code>`);
});

test("a program that asks for JSON gets the same codes, and what it does with each", async () => {
  const ask = (accept: string) => fetch(`${BASE_URL}/errors`, { headers: { Accept: accept } });
  const answer = await ask("application/json");
  expect(answer.headers.get("Content-Type")).toBe("application/json");
  expect(answer.headers.get("Vary")).toContain("Accept");
  const { errors, reasons, warnings } = (await answer.json()) as Record<string, Record<string, unknown>[]>;
  expect(errors?.map(({ code }) => code)).toEqual([...CATALOGUE.keys()]);
  for (const error of errors ?? [])
    expect(error).toEqual({
      code: error["code"],
      ...CATALOGUE.get(error["code"] as ErrorCode),
      rule: expect.any(String),
      cause: expect.any(String),
      cure: expect.any(String),
      example: expect.any(String),
      retry: expect.stringMatching(/^(never|now|after)$/),
      whose: expect.stringMatching(/^(caller|psp|qtsp|bank|service)$/),
    });
  expect(reasons?.map(({ code }) => code)).toEqual(Object.keys(REASONS));
  expect(warnings?.map(({ code }) => code)).toEqual(Object.keys(WARNINGS));

  for (const accept of ["text/html,application/xhtml+xml,*/*;q=0.8", "*/*", "application/json;q=0.5, text/html"])
    expect((await ask(accept)).headers.get("Content-Type")).toContain("text/html");
});

/** Terms whose text begins in their line with no room between: "RuleEvery request". */
const TOUCHING = `[...document.querySelectorAll("dt")].filter((term) => {
  const [one, other] = [term, term.nextElementSibling].map((each) => each.getClientRects()[0]);
  return other.top < one.bottom && other.left - one.right < 4;
}).map((term) => term.textContent)`;

describe.runIf(BROWSER)("in a browser", () => {
  let browser: Browser;
  let link: string;
  beforeAll(async () => {
    browser = await launch();
    ({ link } = (await askForToken("x", "no-code")).body.errors[0]);
  });
  afterAll(() => browser.close());

  test.each(LOOKS)("an error's own link leads to its code's page: $colorScheme, $width pixels wide", async (look) => {
    const page = await browser.newPage();
    await show(page, look);
    await page.goto(link);
    await page.waitForURL(`${BASE_URL}/errors/code_unknown`);
    expect(await page.locator("h1").textContent()).toBe("code_unknown");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(look.width);
    expect(await page.evaluate(TOUCHING)).toEqual([]);
    // the way back is the page before, and not the one that led here
    expect(await page.evaluate("history.length")).toBe(2);
    await keepScreenshot(page, `errors-${look.colorScheme}-${look.width}`);
    await page.close();
  });

  test("without scripts the link shows its entry, marked, which leads on", async () => {
    const page = await browser.newPage({ javaScriptEnabled: false });
    await page.goto(link);
    const entry = page.locator("li:target");
    expect(await entry.textContent()).toMatch(/^code_unknown /);
    // its group has opened, and no other
    expect(await entry.isVisible()).toBe(true);
    expect(await page.locator("details[open]").count()).toBe(1);
    const paints = await page.evaluate(
      "[...document.querySelectorAll('.index li')].map((each) => getComputedStyle(each).backgroundColor)",
    );
    expect(new Set(paints as string[]).size).toBe(2);
    await entry.getByRole("link").click();
    expect(await page.locator("h1").textContent()).toBe("code_unknown");
    await page.close();
  });
});
