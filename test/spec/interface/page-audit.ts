/**
 * The browser of the tests, what every page is looked at for in it, and pictures of the console for people:
 * reports/screenshots/.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import { findBrowser } from "../../peers.ts";
import { ROOT } from "../service.ts";

/** `test/peers.ts` names where it is looked for; null without one. */
export const BROWSER = findBrowser();
const ARGUMENTS =
  "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";

export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: BROWSER ?? "", args: ARGUMENTS.split(" ") });

const SCREENSHOTS = join(ROOT, "reports/screenshots");
/** With its style sheets, scripts and pictures, before compression. */
export const MAX_PAGE_BYTES = 100 * 1024;

/** axe judges colours by the scheme and places by the width: two of the four tell both. */
const LOOKS = [
  { colorScheme: "light", width: 1280, judged: true },
  { colorScheme: "dark", width: 1280, judged: false },
  { colorScheme: "light", width: 390, judged: false },
  { colorScheme: "dark", width: 390, judged: true },
] as const;

/** What went wrong in a page without being asked for: refused loads, script errors, and requests to other hosts. */
export function listen(contexts: readonly BrowserContext[], origins: readonly string[]): string[] {
  const heard: string[] = [];
  for (const context of contexts) {
    context.on("console", (message) => {
      // a status of 400 and above is logged by the browser, too, and is what the test asks for
      if (message.type() === "error" && !/status of 4\d\d/.test(message.text())) heard.push(message.text());
    });
    context.on("weberror", (error) => heard.push(error.error().message));
    context.on("request", (request) => {
      if (!origins.includes(new URL(request.url()).origin)) heard.push(request.url());
    });
  }
  return heard;
}

/** In every look nothing is wider than the window, and axe-core finds nothing, with all details open. */
export async function audit(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  const openDetails = (open: boolean) =>
    page.evaluate(`document.querySelectorAll("details").forEach((each) => { each.open = ${open}; })`);
  for (const { colorScheme, width, judged } of LOOKS) {
    const look = `${name}-${colorScheme}-${width}`;
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 900 });
    await openDetails(false);
    await page.screenshot({ path: join(SCREENSHOTS, `${look}.png`), fullPage: true });
    await openDetails(true);
    const scrollWidth = await page.evaluate("document.documentElement.scrollWidth");
    const findings = judged ? await findBarriers(page) : [];
    expect({ look, scrollWidth, findings }).toEqual({ look, scrollWidth: width, findings: [] });
  }
}

/** What axe-core finds, in the words that lead to it. `exclude`: selectors of what is not ours. */
export async function findBarriers(page: Page, exclude: readonly string[] = []): Promise<string[]> {
  // by the debugger, which the page's policy does not bind
  await page.evaluate(axe.source);
  const found = await page.evaluate(
    `axe.run({ exclude: ${JSON.stringify(exclude)} }, { resultTypes: ["violations"] }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ target, html }) => id + ": " + target + " " + html.slice(0, 200))))`,
  );
  return found as string[];
}

/** The bytes that a browser loads for a page for the first time, without compression. */
async function weigh(context: BrowserContext, address: string): Promise<number> {
  const page = await context.newPage();
  const bodies: Promise<number>[] = [];
  page.on("response", (response) => {
    const size = response.body().then(({ length }) => length);
    // what comes after the load, such as the icon, is cut off by the end of the page: nobody waits for it
    size.catch(() => {});
    bodies.push(size);
  });
  await page.goto(address, { waitUntil: "load" });
  const sizes = await Promise.all(bodies);
  await page.close();
  return sizes.reduce((sum, size) => sum + size, 0);
}

export const expectLight = async (context: BrowserContext, address: string): Promise<void> =>
  expect(await weigh(context, address)).toBeLessThan(MAX_PAGE_BYTES);
