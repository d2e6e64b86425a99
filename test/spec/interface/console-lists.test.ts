/** Long lists of the console in a browser: how high they are on a phone, and whose clock their times go by. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { LISTED_ROWS as ROWS } from "../seeds.ts";
import { BASE_URL, call, eidas, OTHER_FI, REDIRECT_URI } from "./bank.ts";
import { follow, on, signIn } from "./console-visits.ts";
import { BROWSER, findBarriers, keepScreenshot, launch, show } from "./page-audit.ts";

const MAX_PX = 2_000;
const CONSOLE = `${BASE_URL}/console`;
const REVOKED = "PSDXX-TEST-000005";

interface List {
  /** Of the console, with a filter that leaves other files' rows out. */
  readonly path: string;
  readonly row: string;
}

const LISTS: Readonly<Record<string, List>> = {
  evidence: { path: `/evidence?psp=${REVOKED}`, row: "tbody tr" },
  events: { path: "/events?all=1&psp=PSDXX-LIST-0", row: "article.event" },
  psps: { path: "/psps?q=list", row: "tbody tr" },
  acts: { path: "/people/acts?event=permission.search", row: "tbody tr" },
};

/** Of all rows, from the upper edge of the first to the lower edge of the last. */
const heightOf = (page: Page, { row }: List): Promise<[rows: number, px: number]> =>
  page.evaluate(`(() => {
    const rows = [...document.querySelectorAll(${JSON.stringify(row)})];
    const [first, last] = [rows[0], rows.at(-1)];
    return [rows.length, last.getBoundingClientRect().bottom - first.getBoundingClientRect().top];
  })()`);

/** Again where a store gave no answer, as on a machine that others load. */
const openList = (page: Page, { path, row }: List) =>
  expect
    .poll(
      async () => {
        await page.goto(`${CONSOLE}${path}`);
        return await page.locator(row).count();
      },
      { timeout: 60_000, interval: 500 },
    )
    .toBeGreaterThanOrEqual(ROWS);

describe.runIf(BROWSER)("long lists in a browser", () => {
  let browser: Browser;
  const open = async (timezoneId: string, more = {}) => {
    const context = await browser.newContext({ timezoneId, ...more });
    await on(context, (page) => signIn(page, "other"));
    return context;
  };
  beforeAll(async () => {
    browser = await launch();
    // as long as references of banks are
    const transaction_reference = "e5c1f7a2-0b6d-4e0e-9b43-5a0c1f3d2e77";
    const headers = { ...OTHER_FI, ...(await eidas("scenario-5")), transaction_reference };
    const client_request_query_parameters = { response_type: "code", redirect_uri: REDIRECT_URI, scope: "accounts" };
    const body = { account_id: "list", client_request_query_parameters };
    const context = await open("UTC");
    for (let i = 0; i < ROWS; i++) {
      await (i % 2 === 0
        ? call("GET", "/v1/psp/eidas?jurisdiction=XX", { headers })
        : call("POST", "/v1/oauth2/authorization_codes", { headers, body }));
      await context.request.get(`${CONSOLE}/permissions?by=account&q=list-${i}`);
    }
    await on(context, (page) =>
      // records are written behind the answers
      vi.waitUntil(
        async () => {
          for (const name of ["evidence", "acts"]) {
            const { path, row } = LISTS[name] as List;
            await page.goto(`${CONSOLE}${path}`);
            if ((await page.locator(row).count()) < ROWS) return false;
          }
          return true;
        },
        { timeout: 60_000, interval: 500 },
      ),
    );
    await context.close();
  });
  afterAll(() => browser.close());

  test.each(Object.keys(LISTS))("%s: 25 rows are no higher than 2,000 px on a phone", async (name) => {
    const list = LISTS[name] as List;
    // where it is another day, which takes most room
    const context = await open(new Date().getUTCHours() < 10 ? "Pacific/Pago_Pago" : "Pacific/Kiritimati");
    await on(context, async (page) => {
      for (const colorScheme of ["light", "dark"] as const)
        for (const width of [390, 1280]) {
          await show(page, { colorScheme, width });
          await openList(page, list);
          await keepScreenshot(page, `list-${name}-${colorScheme}-${width}`);
          if (width > 390) continue;
          const [rows, px] = await heightOf(page, list);
          expect([rows, px <= MAX_PX, px]).toEqual([ROWS, true, px]);
          expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
          expect(await findBarriers(page)).toEqual([]);
        }
    });
    await context.close();
  });

  /** Of each time on the pages: the instant, and what is read of it, or told when a mouse rests there. */
  const readTimes = async (zone: string, more = {}): Promise<[instant: string, text: string][]> => {
    const context = await open(zone, more);
    const all = await on(context, async (page) => {
      const found: [string, string][] = [];
      for (const { path } of [...Object.values(LISTS), { path: "/evidence" }]) {
        await page.goto(`${CONSOLE}${path}`);
        if (path === "/evidence") await follow(page, page.locator("tbody a").first());
        for (const time of await page.locator("time").all())
          found.push([
            (await time.getAttribute("datetime")) ?? "",
            (await time.getAttribute("title")) ?? (await time.textContent()) ?? "",
          ]);
      }
      return found;
    });
    await context.close();
    return all;
  };
  const IN_UTC = /^\d+ \w+ \d{4}, \d\d:\d\d(?::\d\d)? UTC$/;

  test("times say UTC, and beside it what the reader's own clock said; its day, too, where that is another one", async () => {
    // the clocks of Kiritimati are fourteen hours ahead all year
    const AHEAD_MS = 14 * 3_600_000;
    const times = await readTimes("Pacific/Kiritimati");
    expect(times.length).toBeGreaterThan(4 * ROWS);
    for (const [instant, text] of times) {
      const [, utc = "", day, clock] = /^(.* UTC) \((?:(\d+) \w+, )?([\d:]+) local\)$/.exec(text) ?? [];
      const own = new Date(Date.parse(instant) + AHEAD_MS).toISOString();
      const isSameDay = own.slice(0, 10) === instant.slice(0, 10);
      expect([text, IN_UTC.test(utc), day === undefined, Number(day ?? own.slice(8, 10)), clock]).toEqual([
        ...[text, true, isSameDay, Number(own.slice(8, 10))],
        own.slice(11, /:\d\d:\d\d/.test(utc) ? 19 : 16),
      ]);
    }
  });

  test("without a script they say UTC; where clocks go by UTC, too", async () => {
    for (const times of [await readTimes("Asia/Kolkata", { javaScriptEnabled: false }), await readTimes("UTC")]) {
      expect(times.length).toBeGreaterThan(4 * ROWS);
      for (const [, text] of times) expect(text).toMatch(IN_UTC);
    }
  });
});
