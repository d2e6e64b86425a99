/** The site and the console are one product: each has its own style sheet, and both have the same colours. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

test("the console has the site's colours, light and dark", async () => {
  const read = async (path: string) => {
    const text = await readFile(`src/${path}`, "utf8");
    return Object.fromEntries(
      [...text.matchAll(/^ {2}--([\w-]+): (light-dark.*);$/gm)].map(([, name, is]) => [name, is]),
    );
  };
  const site = await read("reference/assets/frame.css");
  expect(Object.keys(site)).toContain("accent");
  const { ink, soft, paper, panel, line, accent } = site;
  expect(await read("console/assets/console.css")).toMatchObject({
    ...{ ink, muted: soft, ground: paper, card: panel, line, accent },
  });
});
