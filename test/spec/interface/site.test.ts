/** Each page of the site as a browser shows it: light and dark, phone and desktop. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GUIDES } from "../../../src/site/guides.ts";
import { VERSION } from "../../../src/version.ts";
import { BASE_URL } from "./bank.ts";
import { BROWSER, findBarriers, launch, MAX_PAGE_BYTES } from "./page-audit.ts";

const PAGES = ["/", "/errors", ...GUIDES.map(({ name }) => `/docs/${name}`)];
const LOOKS = [
  ["light", 1280],
  ["dark", 1280],
  ["light", 390],
  ["dark", 390],
] as const;

/** What a page did while it was open. */
interface Seen {
  bytes: number;
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
  const seen = new Map<string, number>();
  for (const path of PAGES) {
    const html = await (await fetch(`${BASE_URL}${path}`, { headers: { Accept: "text/html" } })).text();
    for (const [, href = ""] of html.matchAll(/ (?:href|src)="([^"]+)"/g)) {
      if (href.startsWith("#")) expect([path, html.includes(`id="${href.slice(1)}"`)]).toEqual([path, true]);
      if (!href.startsWith("/") || seen.has(href)) continue;
      const { status } = await fetch(`${BASE_URL}${href}`, { headers: { Accept: "text/html" } });
      seen.set(href, status);
      expect([path, href, status]).toEqual([path, href, 200]);
    }
  }
  expect(seen.size).toBeGreaterThan(10);
});

describe.runIf(BROWSER)("in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  async function open(path: string, colorScheme: "light" | "dark", width: number): Promise<{ page: Page; seen: Seen }> {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } });
    const seen: Seen = { bytes: 0, elsewhere: [], failed: [], errors: [] };
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(BASE_URL) && !/^(data|blob):/.test(url)) seen.elsewhere.push(url);
    });
    const bodies: Promise<Buffer>[] = [];
    page.on("response", (response) => {
      if (response.status() >= 400) seen.failed.push(`${response.status()} ${response.url()}`);
      bodies.push(response.body());
    });
    // a violation of the policy is an error of the console, too
    page.on("console", (message) => message.type() === "error" && seen.errors.push(message.text()));
    page.on("pageerror", (error) => seen.errors.push(String(error)));
    await page.goto(`${BASE_URL}${path}`, { waitUntil: "networkidle" });
    for (const body of await Promise.all(bodies)) seen.bytes += body.length;
    return { page, seen };
  }

  async function keepScreenshot(page: Page, name: string): Promise<void> {
    const { SCREENSHOTS } = process.env;
    if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, fullPage: true });
  }

  describe.each(PAGES)("%s", (path) => {
    test.each(LOOKS)("%s, %d pixels wide", async (colorScheme, width) => {
      const { page, seen } = await open(path, colorScheme, width);
      try {
        const { bytes, ...rest } = seen;
        expect(rest).toEqual({ elsewhere: [], failed: [], errors: [] });
        expect(bytes).toBeGreaterThan(1_000);
        expect(bytes).toBeLessThan(MAX_PAGE_BYTES);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
        expect(await findBarriers(page)).toEqual([]);
        await keepScreenshot(page, `site${path.replaceAll("/", "-")}-${colorScheme}-${width}`);
      } finally {
        await page.close();
      }
    });
  });

  describe("/docs", () => {
    /** The viewer is looked at as a whole only: what is within it is Scalar's. */
    const VIEWER = "#reference";

    test.each(LOOKS)("%s, %d pixels wide", async (colorScheme, width) => {
      const { page, seen } = await open("/docs", colorScheme, width);
      try {
        await page.getByRole("heading", { name: "psp-gate" }).first().waitFor();
        const { bytes: _, ...rest } = seen;
        expect(rest).toEqual({ elsewhere: [], failed: [], errors: [] });
        expect(await findBarriers(page, [VIEWER])).toEqual([]);
        await keepScreenshot(page, `site-docs-${colorScheme}-${width}`);
      } finally {
        await page.close();
      }
    });

    test("'try it' is sent to the sandbox with its credentials and a certificate", async () => {
      const { page, seen } = await open("/docs#tag/psp-check/GET/v1/psp/eidas", "light", 1280);
      try {
        const section = page.locator('[id$="GET/v1/psp/eidas"]').last();
        await section.getByRole("button", { name: /Test Request/ }).click();
        const answered = page.waitForResponse((response) => response.url().includes("/v1/psp/eidas"));
        await page.getByRole("button", { name: /^Send/ }).first().click();
        const answer = await answered;
        expect([answer.status(), (await answer.json()).eIDAS.data.pspSubjectName]).toEqual([200, "Amber Payments Ltd"]);
        expect({ elsewhere: seen.elsewhere, errors: seen.errors }).toEqual({ elsewhere: [], errors: [] });
        await keepScreenshot(page, "site-docs-try");
      } finally {
        await page.close();
      }
    });
  });
});
