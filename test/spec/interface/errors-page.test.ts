/** The page that `errors[].link` opens: its anchors, and how a browser shows it. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WARNINGS } from "../../../src/eidas/every-warning.ts";
import { CATALOGUE } from "../../../src/http/errors/error-response.ts";
import { ENTRIES, type ErrorCode } from "../../../src/http/errors/every-code.ts";
import { REASONS } from "../../../src/psp-check/every-reason.ts";
import { askForToken, BASE_URL } from "./bank.ts";
import { BROWSER, keepScreenshot, launch } from "./page-audit.ts";

test("every code of the catalogue has an anchor, and all that is said of it", async () => {
  const page = await (await fetch(`${BASE_URL}/errors`)).text();
  for (const code of CATALOGUE.keys()) {
    const [, section = "", ...more] = page.split(`id="${code}"`);
    expect(more).toEqual([]);
    const labels = section.split("</section>")[0]?.match(/(?<=<dt>)(?!Status)\w+/g);
    const retry = ENTRIES[code].retry === "never" ? [] : ["Retry"];
    expect([code, labels]).toEqual([code, ["Rule", "Cause", "Cure", "Example", ...retry, "Whose"]]);
  }
});

test("every reason of a decision and every warning of the PSP check is explained", async () => {
  const page = await (await fetch(`${BASE_URL}/errors`)).text();
  const [, reasons = "", warnings = ""] = page.split("<ul>");
  for (const code of Object.keys(REASONS)) expect(reasons).toContain(`<code>${code}</code>`);
  for (const code of Object.keys(WARNINGS)) expect(warnings).toContain(`<code>${code}</code>`);
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
const TOUCHING = `[...document.querySelectorAll("section dt")].filter((term) => {
  const [one, other] = [term, term.nextElementSibling].map((each) => each.getClientRects()[0]);
  return other.top < one.bottom && other.left - one.right < 4;
}).map((term) => term.textContent)`;

describe.runIf(BROWSER)("in a browser", () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launch();
    page = await browser.newPage();
  });
  afterAll(() => browser.close());

  test.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 320],
    ["dark", 320],
  ] as const)("an error's own link shows its section, marked: %s, %d pixels wide", async (colorScheme, width) => {
    const { link, code } = (await askForToken("x", "no-code")).body.errors[0];
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 700 });
    // its address differs by the fragment only from that of the test before
    await page.goto("about:blank");
    await page.goto(link);
    const target = page.locator("section:target");
    expect(await target.locator("h3").textContent()).toBe(code);
    const [box, scrollable] = [await target.boundingBox(), await page.evaluate("document.documentElement.scrollWidth")];
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(700);
    // nothing is wider than the window
    expect(scrollable).toBe(width);
    const colours = await page.evaluate(
      "[...document.querySelectorAll('section')].map((section) => getComputedStyle(section).backgroundColor)",
    );
    expect(new Set(colours as string[]).size).toBe(2);
    expect(await page.evaluate(TOUCHING)).toEqual([]);
    await keepScreenshot(page, `errors-${colorScheme}-${width}`);
  });
});
