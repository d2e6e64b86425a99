/** /console: leads to the first page. */
import type { Page } from "./page.ts";

export const consoleStart: Page = {
  path: "/console",
  menu: null,
  for: "readers",
  get: async ({ c, href }) => c.redirect(href("/console/check"), 303),
};
