/** The guides are a path: each page says where it stands, and leads to the ones before and after. */
import { expect, test } from "vitest";
import { makeGuidePages, SECTIONS } from "../../../src/reference/guide-pages.ts";
import { GUIDE_SECTIONS } from "../../../src/reference/guides.ts";

test("in the order start, enforce, operate, prove each guide leads to the next, and says how long one of a time takes", async () => {
  expect(GUIDE_SECTIONS.map(({ heading }) => heading)).toEqual(["Start", "Enforce", "Operate", "Prove"]);
  const pages = await makeGuidePages();
  const path = GUIDE_SECTIONS.flatMap(({ guides }) => guides);
  const durations: Record<string, string> = {};
  for (const [i, { name }] of path.entries()) {
    const page = pages.get(`docs/${name}`) ?? "";
    const [, place, duration, links = ""] =
      /<\/h1>\s*<p class="way">Guide (\d+) of \d+\.(?: It takes ([^.]+)\.)?(.*?)<\/p>/.exec(page) ?? [];
    expect([name, Number(place)]).toEqual([name, i + 1]);
    if (duration !== undefined) durations[name] = duration;
    const around = [path[i - 1], path[i + 1]].flatMap((guide) => (guide ? [`/docs/${guide.name}`] : []));
    expect([...links.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual(around);
  }
  expect(durations).toEqual({ "first-check": "five minutes", "first-hour": "an hour at most" });
});

test("a page has the name that the menu has", async () => {
  const pages = await makeGuidePages();
  for (const { name, title } of SECTIONS.flatMap(({ guides }) => guides)) {
    const page = (pages.get(`docs/${name}`) ?? "").replaceAll("&#39;", "'");
    expect([name, /<h1[^>]*>(.*?)<\/h1>/.exec(page)?.[1]]).toEqual([name, title]);
    expect(page).toContain(`<title>${title} · psp-gate</title>`);
  }
});
