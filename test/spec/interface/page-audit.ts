/** The browser of the tests, and what every page is looked at for in it. `SCREENSHOTS=DIR` keeps pictures for people. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import {
  type Browser,
  type BrowserContext,
  type CDPSession,
  chromium,
  type Page,
  type Response,
} from "playwright-core";
import { expect } from "vitest";
import { findTool } from "../../tools.ts";

/** `test/tools.ts` names where it is looked for; null without one. */
export const BROWSER = findTool("browser");
const ARGUMENTS =
  "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";
/** What no page here needs. The browser takes the last list only, so Playwright's own is repeated. */
const DISABLED_FEATURES = [
  ..."AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose HttpsUpgrades HttpsFirstBalancedModeAutoEnable".split(
    " ",
  ),
  ..."LensOverlay MediaRouter PaintHolding ThirdPartyStoragePartitioning AvoidCorsURLLoaderRestartOnRedirect".split(
    " ",
  ),
  ..."OptimizationHints NetworkTimeServiceQuerying AimEnabled PreconnectToSearch".split(" "),
  // the list below the address bar is a page of its own in each window: half a second of processor time
  ..."WebUIOmniboxPopup WebUIOmniboxAimPopup WebUIOmniboxFullPopup".split(" "),
  ..."InitialWebUI WebUIReloadButton WebUILocationBar WebUITabStrip SpareRendererForSitePerProcess Translate".split(
    " ",
  ),
];

/** As for the tests: a loaded machine needs more than Playwright's half a minute for a page, and its load is no failure. */
const STEP_TIMEOUT_MS = 120_000;

export async function launch(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: BROWSER ?? "",
    args: [...ARGUMENTS.split(" "), `--disable-features=${DISABLED_FEATURES.join()}`],
  });
  return browser.on("context", (context) => context.setDefaultTimeout(STEP_TIMEOUT_MS));
}

/** Without its comments: it is sent to the browser and compiled there for each page. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** With its style sheets, scripts and pictures, before compression. */
export const MAX_PAGE_BYTES = 120 * 1024;

export interface Look {
  readonly colorScheme: "light" | "dark";
  readonly width: number;
}
export const LOOKS: readonly [Look, ...Look[]] = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 1280 },
  { colorScheme: "light", width: 390 },
  { colorScheme: "dark", width: 390 },
];

/**
 * Shows the page as to people who have set it so. A page that is open is laid out anew: loading it again for each look, or
 * a window for each page, costs several times as much.
 */
export async function show(page: Page, { colorScheme, width }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.setViewportSize({ width, height: 900 });
}

export async function keepScreenshot(page: Page, name: string): Promise<void> {
  const { SCREENSHOTS } = process.env;
  if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}

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

/** What is wider than its place, by its text: a table of which a part is out of sight, a word that leaves its tile. */
const CUT = `[...document.querySelectorAll(".scroll, .tile")]
  .filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent.slice(0, 80))`;

/** Words of tables that a line's end breaks. A longer one is a number or a hash, which may go on. */
export const BROKEN_WORDS = `(() => {
  const range = document.createRange();
  return [...document.querySelectorAll("td, table:not(.wide) th")].flatMap((cell) => {
    const found = [];
    for (const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT); walker.nextNode(); ) {
      const { data } = walker.currentNode;
      for (const { 0: word, index } of data.matchAll(/[\\w.]+/g)) {
        if (word.length > 30) continue;
        range.setStart(walker.currentNode, index);
        range.setEnd(walker.currentNode, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word);
      }
    }
    return found;
  });
})()`;

/** In every look nothing is wider than the window or cut off, and axe-core finds nothing, with all details open. */
export async function audit(page: Page, name: string): Promise<void> {
  const openDetails = (open: boolean) =>
    page.evaluate(`document.querySelectorAll("details").forEach((each) => { each.open = ${open}; })`);
  for (const each of LOOKS) {
    const look = `${name}-${each.colorScheme}-${each.width}`;
    await show(page, each);
    await openDetails(false);
    await keepScreenshot(page, look);
    await openDetails(true);
    const scrollWidth = await page.evaluate("document.documentElement.scrollWidth");
    const cut = await page.evaluate(CUT);
    expect({ look, scrollWidth, cut, findings: await findBarriers(page) }).toEqual({
      ...{ look, scrollWidth: each.width, cut: [], findings: [] },
    });
  }
}

/**
 * What axe-core finds, in the words that lead to it. Where nothing has moved since the audit before, only colours can have
 * changed: these are compared once for all elements that are painted alike. All else would be found again.
 */
export async function findBarriers(page: Page): Promise<string[]> {
  // by the debugger, which the page's policy does not bind
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  const found = await page.evaluate(`(async () => {
    const layout = ${LAYOUT};
    const [of, rules] = window.auditedLayout === layout
      ? [{ include: ${PAINTED} }, { runOnly: ["color-contrast", "link-in-text-block"] }] : [document, {}];
    const { violations } = await axe.run(of, { resultTypes: ["violations"], ...rules });
    window.auditedLayout = layout;
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target, html }) => id + ": " + target + " " + html.slice(0, 200)));
  })()`);
  return found as string[];
}

/** Of the visible texts, fields and links one of each that is painted alike, behind backgrounds that are painted alike. */
const PAINTED = `(() => {
  const [painted, met] = [new Map(), new Set()];
  return [...document.querySelectorAll("*")].filter((each) => {
    const style = getComputedStyle(each);
    const own = [style.color, style.backgroundColor, style.backgroundImage, style.opacity, style.filter, style.mixBlendMode,
      style.position, style.textShadow, style.textDecorationLine, style.fontSize, style.fontWeight].join();
    const outer = painted.get(each.parentElement) ?? [];
    const all = own === outer.at(-1) ? outer : [...outer, own];
    painted.set(each, all);
    const isLinkOrField = each.matches("a, input, select, textarea");
    const hasText = [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== "");
    const key = (isLinkOrField ? each.localName : "") + all.join(" in ");
    if (met.has(key) || !(hasText || isLinkOrField)) return false;
    if (!each.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    met.add(key);
    return true;
  });
})()`;

/** What of a page is there, where, and whether it can be seen. */
const LAYOUT = `JSON.stringify([document.documentElement.outerHTML, ...[...document.querySelectorAll("*")].map((each) => {
  const { x, y, width, height } = each.getBoundingClientRect();
  return [x, y, width, height, each.checkVisibility({ opacityProperty: true, visibilityProperty: true })];
})])`;

/** Until the session is detached the page loads everything as for the first time: what it has already came without a body. */
export async function loadAnew(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  return session;
}

/** The bytes that a browser loads for the page when it comes to its address, without compression. */
async function weigh(page: Page): Promise<number> {
  const bodies: Promise<number>[] = [];
  const add = (response: Response) => {
    const size = response.body().then(({ length }) => length);
    // what comes after the load, such as the icon, is cut off by the end of the page: nobody waits for it
    size.catch(() => {});
    bodies.push(size);
  };
  const session = await loadAnew(page);
  page.on("response", add);
  await page.goto(page.url(), { waitUntil: "load" });
  const sizes = await Promise.all(bodies);
  page.off("response", add);
  await session.detach();
  return sizes.reduce((sum, size) => sum + size, 0);
}

export const expectLight = async (page: Page): Promise<void> => expect(await weigh(page)).toBeLessThan(MAX_PAGE_BYTES);
