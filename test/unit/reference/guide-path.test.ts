/** The guides are a path: each page says where it stands, and leads to the ones before and after. */
import { expect, test } from "vitest";
import { makeGuidePages } from "../../../src/reference/guide-pages.ts";
import { GUIDE_SECTIONS, GUIDES_BESIDE } from "../../../src/reference/guides.ts";

test("in the order start, enforce, operate, prove each guide leads to the next, and says how long it takes", async () => {
  expect(GUIDE_SECTIONS.map(({ heading }) => heading)).toEqual(["Start", "Enforce", "Operate", "Prove"]);
  const pages = await makeGuidePages();
  const path = GUIDE_SECTIONS.flatMap(({ guides }) => guides);
  for (const [i, { name }] of path.entries()) {
    const page = pages.get(`docs/${name}`) ?? "";
    const [, place, minutes = "", links = ""] =
      /<\/h1>\s*<p class="way">Guide (\d+) of \d+\. (\d+) minutes? to read\.(.*?)<\/p>/.exec(page) ?? [];
    expect([name, Number(place)]).toEqual([name, i + 1]);
    expect(Number(minutes)).toBeGreaterThan(0);
    const around = [path[i - 1], path[i + 1]].flatMap((guide) => (guide ? [`/docs/${guide.name}`] : []));
    expect([...links.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual(around);
  }
  for (const { name } of GUIDES_BESIDE)
    expect(pages.get(`docs/${name}`)).toMatch(/<\/h1>\s*<p class="way">\d+ minutes? to read\.<\/p>/);
});
