/**
 * Each page of the site as a browser shows it: light and dark, phone and desktop. In each look it fits its window. An audit for
 * barriers takes most of the time: of each maker a page has one in each look, the others differ by what they tell, and have one.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Browser, Locator, Page, Response } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EVENT_TYPES } from "../../../src/events/event.ts";
import { VERSION } from "../../../src/platform/version.ts";
import { LOCAL_ADDRESS } from "../../../src/reference/code-block.ts";
import { DOCUMENTS } from "../../../src/reference/guide-pages.ts";
import { GUIDES } from "../../../src/reference/guides.ts";
import type { OpenApiDocument } from "../../../src/reference/open-api.ts";
import { readFill } from "../../../src/reference/sandbox-fill.ts";
import { PARTS } from "../../../src/routes/site.ts";
import { findTool } from "../../tools.ts";
import { ROOT } from "../service.ts";
import { BASE_URL } from "./bank.ts";
import {
  BROKEN_WORDS,
  BROWSER,
  findBarriers,
  keepScreenshot,
  LOOKS,
  type Look,
  launch,
  loadAnew,
  MAX_PAGE_BYTES,
  show,
} from "./page-audit.ts";

/** One of each maker of pages; of the reference one with a query, and one with forms of a body. */
const OF_EACH_MAKER = [
  ...[
    "/",
    "/errors",
    "/errors/the-psp",
    "/errors/certificate_revoked",
    "/docs",
    "/docs/guides",
    "/docs/webhooks",
    "/docs/checkPsp",
    "/docs/createPaymentOrderConsent",
  ],
  ...["/docs/core-flow", "/docs/glossary", "/docs/sandbox"],
];
/** Every page of the reference has the same makers: these have a path, versions, and forms of an answer. */
const OPERATIONS = ["createCoreToken", "getCoreToken", "getHealth"];
const OTHERS = [...OPERATIONS, ...[...GUIDES, ...DOCUMENTS].map(({ name }) => name)].map((name) => `/docs/${name}`);
const PAGES = [...new Set([...OF_EACH_MAKER, ...OTHERS])];
/** What has to be scrolled sideways, by its text. The preparation of guides is looked at, too. */
const SCROLLED = `(() => {
  document.querySelectorAll("main details").forEach((each) => { each.open = true; });
  return [...document.querySelectorAll("main *")].filter((each) => each.scrollWidth > each.clientWidth + 1
    && ["auto", "scroll", "hidden"].includes(getComputedStyle(each).overflowX)).map((each) => each.textContent.slice(0, 80));
})()`;

/** Texts with lines of more than about 100 characters, by their beginning. */
const LONG_LINES = `[...document.querySelectorAll("main p:not(.steps), main li")].filter(({ clientWidth }) => clientWidth > 800)
  .map(({ textContent }) => textContent.slice(0, 80))`;

/** What a page did while it was open. */
interface Seen {
  readonly responses: Response[];
  readonly elsewhere: string[];
  readonly failed: string[];
  readonly errors: string[];
}

test("GET / tells a program what this is, and leads a person on", async () => {
  const json = await fetch(`${BASE_URL}/`);
  expect(json.headers.get("Vary")).toContain("Accept");
  const { name, version, links } = (await json.json()) as { name: string; version: string; links: object };
  expect([name, version]).toEqual(["psp-gate", VERSION]);
  // /status is for who has credentials, /console for who has signed in
  for (const [link, path] of Object.entries(links))
    expect([link, (await fetch(`${BASE_URL}${path}`)).status]).toEqual([link, link === "status" ? 401 : 200]);
  const page = await fetch(`${BASE_URL}/`, { headers: { Accept: "text/html" } });
  expect(page.headers.get("Content-Type")).toContain("text/html");
});

test("no link of a page is dead", async () => {
  const texts = new Map<string, string>();
  const seen = new Set<string>();
  for (const path of PAGES) {
    const html = await (await fetch(`${BASE_URL}${path}`, { headers: { Accept: "text/html" } })).text();
    for (const [, href = ""] of html.matchAll(/ (?:href|src)="([^"]+)"/g)) {
      if (href.startsWith("#")) expect([path, html.includes(`id="${href.slice(1)}"`)]).toEqual([path, true]);
      if (!href.startsWith("/") || seen.has(href)) continue;
      const [address = "", anchor] = href.split("#");
      seen.add(href);
      if (!texts.has(address)) {
        const answer = await fetch(`${BASE_URL}${address}`, { headers: { Accept: "text/html" } });
        expect([path, href, answer.status]).toEqual([path, href, 200]);
        texts.set(address, await answer.text());
      }
      if (anchor) expect([path, href, texts.get(address)?.includes(`id="${anchor}"`)]).toEqual([path, href, true]);
    }
  }
  expect(seen.size).toBeGreaterThan(10);
});

test.each(Object.entries(PARTS))("%s leads to %s, which is there", async (path, whole) => {
  const answer = await fetch(`${BASE_URL}${path}`, { redirect: "manual" });
  expect([answer.status, answer.headers.get("Location")]).toEqual([301, whole]);
  const [address, anchor] = whole.split("#");
  expect(await (await fetch(`${BASE_URL}${address}`)).text()).toContain(`<h2 id="${anchor}">`);
});

describe.runIf(BROWSER)("in a browser", () => {
  let browser: Browser;
  let page: Page;
  let seen: Seen;
  beforeAll(async () => {
    browser = await launch();
    page = await browser.newPage();
    await loadAnew(page);
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(BASE_URL) && !/^(data|blob):/.test(url)) seen.elsewhere.push(url);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) seen.failed.push(`${response.status()} ${response.url()}`);
      seen.responses.push(response);
    });
    // a violation of the policy is an error of the console, too
    page.on("console", (message) => message.type() === "error" && seen.errors.push(message.text()));
    page.on("pageerror", (error) => seen.errors.push(String(error)));
  });
  afterAll(() => browser.close());

  /** Loads the page as it looks; what it does until the next one is loaded is seen. */
  async function open(path: string, look: Look): Promise<void> {
    // else a page that differs by its fragment only is not loaded again
    await page.goto("about:blank");
    seen = { responses: [], elsewhere: [], failed: [], errors: [] };
    await show(page, look);
    await page.goto(`${BASE_URL}${path}`, { waitUntil: "networkidle" });
  }

  describe.each(PAGES)("%s", (path) => {
    beforeAll(() => open(path, LOOKS[0]));

    test.each(LOOKS)("$colorScheme, $width pixels wide", async (look) => {
      await show(page, look);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(look.width);
      expect(await page.evaluate(SCROLLED)).toEqual([]);
      expect(await page.evaluate(BROKEN_WORDS)).toEqual([]);
      expect(await page.evaluate(LONG_LINES)).toEqual([]);
      if (OF_EACH_MAKER.includes(path) || look === LOOKS[PAGES.indexOf(path) % LOOKS.length])
        expect(await findBarriers(page)).toEqual([]);
      await keepScreenshot(page, `site${path.replaceAll("/", "-")}-${look.colorScheme}-${look.width}`);
      const { responses, ...rest } = seen;
      expect(rest).toEqual({ elsewhere: [], failed: [], errors: [] });
      const bodies = await Promise.all(responses.map((response) => response.body()));
      const bytes = bodies.reduce((sum, { length }) => sum + length, 0);
      expect(bytes).toBeGreaterThan(1_000);
      expect(bytes).toBeLessThan(MAX_PAGE_BYTES);
    });
  });

  test("a page's commands name the service that serves it", async () => {
    await open("/docs/first-check", LOOKS[0]);
    expect(await page.locator("pre").first().textContent()).toContain(`GATE=${BASE_URL}\n`);
    expect(await page.locator("body").textContent()).not.toContain(":8787");
  });

  describe("the search", () => {
    const field = () => page.getByRole("combobox", { name: "Search guides" });
    const found = () => page.locator("#found");
    /** By address, once the list is that of the words. */
    async function search(words: string): Promise<(string | null)[]> {
      await field().fill(words);
      await found().getByRole("option").first().waitFor();
      return found()
        .getByRole("option")
        .evaluateAll((all) => all.map((each) => each.getAttribute("href")));
    }
    beforeAll(async () => {
      await open("/docs/core-flow", LOOKS[0]);
      expect(seen.responses.some((response) => response.url().includes("search"))).toBe(false);
      await page.keyboard.press("/");
    });

    test.each([
      ["webhook", "/docs/events#be-notified"],
      ["webhook secret", "/docs/events#be-notified"],
      ["withdraw consent", "/docs/withdrawAccountPermission"],
      ["delete consent", "/docs/deleteAccountAccessConsent"],
      ["cancel", "/docs/withdrawAccountPermission"],
      ["idempotency", "/docs/errors"],
      ["introspection", "/docs/introspectToken"],
      ["/v1/psp/eidas", "/docs/checkPsp"],
      ["certificate_revoked", "/errors/certificate_revoked"],
      ["expired certificate", "/errors/certificate_expired"],
      ["webhook.test", "/docs/webhooks#webhook-test"],
      ["qtsp", "/docs/glossary#qtsp"],
      ["postman", "/#tools"],
      ["openapi", "/openapi.json"],
      ["sign in", "/console/sign-in"],
      ["curl", "/docs/first-check"],
      // slips
      ["pasporting", "/docs/certificates#passporting"],
      ["wetbook", "/docs/events#be-notified"],
      // nothing is near: where to look by oneself
      ["xqzvw flurb", "/docs/guides"],
    ])("%s leads to %s", async (words, address) => {
      expect((await search(words))[0]).toBe(address);
    });

    test("it says what the words are not, and a code is there once", async () => {
      expect(await search("withdraw consent")).toContain("/docs/deleteAccountAccessConsent");
      await search("consnet");
      expect(await found().textContent()).toMatch(/^Nothing has these words. Near them:.*consent/);
      await search("xqzvw flurb");
      expect(await found().textContent()).toMatch(/^Nothing has these words. Look here:/);
      await search("expired certificate");
      expect(await found().getByText("certificate_expired", { exact: true }).count()).toBe(1);
      // around what is found, and not from the beginning of its place
      await search("QSealC");
      const excerpts = await found().locator("span").allTextContents();
      for (const text of excerpts.slice(1, 4)) expect(text).toContain("QSealC");
      expect(excerpts.filter((text) => /^(?:GET|POST|DELETE|Guide \d)/.test(text))).toEqual([]);
    });

    test("what one does stands before what may fail, and each result says which of them it is", async () => {
      await search("ccg token");
      const kinds = await found().locator("i").allTextContents();
      expect(kinds[0]).toBe("Operation");
      expect(kinds.indexOf("Error")).toBeGreaterThan(kinds.indexOf("Guide"));
      expect(kinds).toContain("Guide");
    });

    test("the keyboard alone opens it, chooses and leaves it", async () => {
      await page.keyboard.press("Escape");
      expect(await found().isVisible()).toBe(false);
      await field().blur();
      await page.keyboard.press("Control+k");
      expect(await field().evaluate((each) => each.matches(":focus"))).toBe(true);
      await search("pasporting");
      expect(await field().getAttribute("aria-expanded")).toBe("true");
      await page.keyboard.press("ArrowDown");
      const chosen = await field().getAttribute("aria-activedescendant");
      expect(await found().getByRole("option", { selected: true }).getAttribute("id")).toBe(chosen);
      expect(await findBarriers(page)).toEqual([]);
      await keepScreenshot(page, "site-search");
      await page.keyboard.press("Enter");
      await page.waitForURL(`${BASE_URL}/docs/certificates#passporting`);
    });
  });

  test("a button copies the code beside it, without its colours", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: BASE_URL });
    await open("/docs/first-check", LOOKS[0]);
    expect(await page.locator("pre").first().isVisible()).toBe(false);
    await page.getByText("The preparation of all guides").click();
    const button = page.getByRole("button", { name: "Copy" }).first();
    // nobody has to find it
    await page.mouse.move(0, 0);
    expect(await page.evaluate(`getComputedStyle(document.querySelector(".copy")).opacity`)).toBe("1");
    await button.click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(/^GATE=http.*\nask\(\) \{\n/);
  });

  test.each(["checkPsp", "createPaymentOrderConsent", "getHealth"])(
    "%s has its text, its sample, the answer and 'try it' in view at once, and folds its fields",
    async (name) => {
      await open(`/docs/${name}`, LOOKS[0]);
      const bottomOf = async (place: Locator) => {
        const { y = 0, height = 900 } = (await place.boundingBox()) ?? {};
        return y + height;
      };
      const places = [
        page.locator("h1"),
        page.getByRole("group", { name: "curl" }),
        page.locator(".tabs + .answer"),
        page.getByRole("button", { name: "Send" }),
      ];
      for (const place of places) expect(await bottomOf(place)).toBeLessThan(900);
      expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThan(5_000);
      // they stay there
      await page.locator("#errors").scrollIntoViewIfNeeded();
      expect(await bottomOf(page.getByRole("button", { name: "Send" }))).toBeLessThan(900);
      await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
      expect(await findBarriers(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(1280);
    },
  );

  test("the cards of the guides fill each row, and none is alone in one", async () => {
    await open("/docs/guides", LOOKS[0]);
    const lists = await page.locator(".cards").evaluateAll((all) =>
      all.map((list) => {
        const end = Math.round(list.getBoundingClientRect().right);
        const boxes = [...list.children].map((card) => card.getBoundingClientRect());
        const rows = [...new Set(boxes.map(({ top }) => top))].map((y) => boxes.filter(({ top }) => top === y));
        return rows.map((row) => ({ cards: row.length, left: end - Math.round(row.at(-1)?.right ?? 0) }));
      }),
    );
    expect(lists.length).toBeGreaterThan(4);
    expect(lists.flat().filter(({ cards, left }) => cards < 2 || Math.abs(left) > 1)).toEqual([]);
  });

  test("the table of the sandbox's PSPs fits at 1280, and is a card for each certificate at 390", async () => {
    await open("/docs/sandbox", LOOKS[0]);
    const table = page.locator(".table").first();
    expect(await table.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
    await show(page, LOOKS[2] ?? expect.unreachable());
    const [first, second] = await table.locator("tbody tr").all();
    for (const [row, special] of [
      [first, "authorised, all four true"],
      [second, "passported to XY, and in its register"],
    ] as const) {
      expect(await row?.getByText("Amber Payments Ltd").isVisible()).toBe(true);
      expect(await row?.getByText(special).isVisible()).toBe(true);
    }
    // the rest of a card is shown when it is asked for, without a script, too
    const number = first?.getByText("PSDXX-TEST-000001");
    expect(await number?.isVisible()).toBe(false);
    await first?.getByRole("checkbox", { name: "The whole row" }).press("Space");
    expect(await number?.isVisible()).toBe(true);
    expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThan(5_500);
    const label = `getComputedStyle(document.querySelector("tbody td:nth-child(2)"), "::before").content`;
    expect(await page.evaluate(label)).toContain("PSP");
  });

  test("the language of a sample is kept for the next page", async () => {
    await open("/docs/checkPsp", LOOKS[0]);
    await page.getByText("Python", { exact: true }).click();
    await open("/docs/createCoreToken", LOOKS[0]);
    expect(await page.getByRole("group", { name: "Python" }).isVisible()).toBe(true);
    expect(await page.getByRole("group", { name: "curl" }).isVisible()).toBe(false);
  });

  test("on a phone a button opens the pages and the contents", async () => {
    await open("/docs/core-flow", { colorScheme: "dark", width: 390 });
    // WCAG 2.2: what a finger meets
    for (const link of await page.locator(".bar a:visible, .footer a").all())
      expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(24);
    const menu = page.getByRole("navigation", { name: "Pages" });
    expect(await menu.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Menu" }).click();
    await menu.getByRole("link", { name: "Events" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await keepScreenshot(page, "site-menu");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Contents" }).click();
    await page.getByRole("link", { name: "3. The token in use" }).click();
    expect(await page.getByRole("navigation", { name: "On this page" }).isVisible()).toBe(false);
  });

  test("the menu shows where one is, on a phone, too, and the contents what is read", async () => {
    await open("/docs/glossary", { colorScheme: "light", width: 390 });
    await page.getByRole("button", { name: "Menu" }).click();
    const { y = 0 } = (await page.locator('#menu [aria-current="page"]').boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(900);
    await open("/docs/core-flow", LOOKS[0]);
    const marked = page.locator("#contents [aria-current]");
    await page.locator("#contents").getByRole("link", { name: "3. The token in use" }).click();
    await expect.poll(() => marked.allTextContents()).toEqual(["3. The token in use"]);
    await page.keyboard.press("End");
    const last = await page.locator("#contents a").last().textContent();
    await expect.poll(() => marked.allTextContents()).toEqual([last]);
  });

  test("'try it' is sent to the sandbox with its credentials and a certificate", async () => {
    await open("/docs/checkPsp", LOOKS[0]);
    const send = async () => {
      const answered = page.waitForResponse((response) => response.url().includes("/v1/psp/eidas"));
      await page.getByRole("button", { name: "Send" }).click();
      return (await answered).status();
    };
    expect(await send()).toBe(200);
    const result = page.locator(".result");
    await result.getByText("Amber Payments Ltd").first().waitFor();
    expect(await result.textContent()).toMatch(/^200 OK\{.*\}\d+ headers.*x-request-id: /s);
    // what one asked for comes first
    expect(await result.getByText("x-request-id: ").isVisible()).toBe(false);
    expect(await findBarriers(page)).toEqual([]);
    expect({ elsewhere: seen.elsewhere, errors: seen.errors }).toEqual({ elsewhere: [], errors: [] });
    await keepScreenshot(page, "site-docs-try");
    // what is typed is what is sent
    await page.getByLabel("Secret").fill("wrong");
    expect(await send()).toBe(401);
    await result.getByText("credentials_invalid").first().waitFor();
  });
});

test("every operation of the document has a page, which the index links to", async () => {
  const index = await (await fetch(`${BASE_URL}/docs`)).text();
  const document = (await (await fetch(`${BASE_URL}/openapi.json`)).json()) as OpenApiDocument;
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  // so do tags and webhooks
  for (const { description } of document.tags) expect(description).toMatch(/^These operations [a-z]+ /);
  for (const { post } of Object.values(document.webhooks)) expect(post.description).toMatch(/^The event says that /);
  for (const { operationId, summary, description } of operations) {
    // what it does: an order as its name, and first of its text the same as a verb
    expect(summary).toMatch(
      /^(Block|Check|Compare|Create|Delete|End|Exchange|Get|Introspect|Lift|List|Revoke|Verify|Watch|Withdraw) /,
    );
    expect(description).toMatch(/^(?!Its |This )[A-Z][a-z]+s /);
    expect(description).not.toContain("Basic credentials");
    const shown = summary.replaceAll("'", "&#39;");
    expect(index).toContain(`<a href="/docs/${operationId}">${shown}</a>`);
    expect(await (await fetch(`${BASE_URL}/docs/${operationId}`)).text()).toContain(`<h1>${shown}</h1>`);
  }
});

test("the reference shows the decision of latest and a record without a click, and folds the events that a webhook gets", async () => {
  const textOf = async (name: string) =>
    (await (await fetch(`${BASE_URL}/docs/${name}`)).text()).replaceAll(/<\/?span[^>]*>/g, "");
  const shown = async (name: string) => /Code samples.*Try it/s.exec(await textOf(name))?.[0];
  expect(await shown("checkPsp")).toContain('"decision": {');
  expect(await shown("getAuditRecord")).toContain('"record": {');
  const webhooks = await textOf("webhooks");
  const folded = [...webhooks.matchAll(/<details><summary>Example.*?<\/details>/gs)].join("");
  for (const type of EVENT_TYPES) {
    expect(webhooks).toContain(`<code>${type}</code></h2>`);
    expect(folded).toContain(`"type": "${type}"`);
  }
});

test("an answer that differs by version has a heading for each", async () => {
  const page = await (await fetch(`${BASE_URL}/docs/checkPsp`)).text();
  expect([...page.matchAll(/<h3 id="version-\w+">(.*?)<\/h3>/g)].map(([, title]) => title)).toEqual([
    "Version latest",
    "Version 1",
  ]);
});

const RUNNERS = [
  { language: "curl", program: "bash", options: ["-c"] },
  { language: "Node", program: process.execPath, options: ["--input-type=module", "-e"] },
].filter(({ language }) => language !== "curl" || findTool("curl"));

async function readSample(path: string, label: string): Promise<string> {
  const page = await (await fetch(`${BASE_URL}${path}`, { headers: { Accept: "text/html" } })).text();
  const [, sample = ""] = new RegExp(`<pre [^>]*aria-label="${label}"><code>([\\s\\S]*?)</code>`).exec(page) ?? [];
  return sample
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

test.runIf(findTool("curl"))("the call of the first page runs as it is pasted", async () => {
  const call = (await readSample("/", "Command")).replace(LOCAL_ADDRESS, BASE_URL);
  const { stdout } = await promisify(execFile)("bash", ["-c", call], { cwd: ROOT });
  const { eIDAS, decision } = JSON.parse(stdout);
  const shown = JSON.parse(await readSample("/", "Answer"));
  expect({ eIDAS, decision }).toMatchObject(shown);
});

test("the changelog shows the newest release, and folds the others", async () => {
  const page = await (await fetch(`${BASE_URL}/docs/changelog`)).text();
  const releases = page.split("<h2 ").slice(1);
  expect(releases.map((release) => release.includes("<details"))).toEqual(releases.map((_, i) => i > 0));
});

test.each(RUNNERS)("the sample for $language gets the answer", async ({ language, program, options }) => {
  const code = await readSample("/docs/checkPsp", language);
  const { username, password, fiReferenceId, certificates } = await readFill();
  const { stdout } = await promisify(execFile)(program, [...options, code], {
    env: {
      ...process.env,
      ...{ GATE: BASE_URL, CLIENT_ID: username, SECRET: password, FI_REFERENCE_ID: fiReferenceId },
      EIDAS: certificates["scenario-1"],
    },
  });
  expect(stdout).toContain("Amber Payments Ltd");
});
