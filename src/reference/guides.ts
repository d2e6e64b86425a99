/** The guides: their order, and how a Markdown file of guides/ becomes a page. test/spec/interface/guides.test.ts runs their commands. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { html, raw } from "hono/html";
import { Marked } from "marked";
import { WARNINGS } from "../eidas/warnings.ts";
import { CURES } from "../psp-check/cures.ts";
import { REASONS } from "../psp-check/decision.ts";
import { makePage } from "./page.ts";

export interface Guide {
  /** The file in guides/, and the page below /docs/. */
  readonly name: string;
  readonly title: string;
  /** For the list on the first page. */
  readonly about: string;
}

export const GUIDES: readonly Guide[] = [
  {
    name: "first-check",
    title: "First check in five minutes",
    about: "From a clone to the first yes and the first no.",
  },
  { name: "core-flow", title: "Core flow", about: "Code, token, introspection, withdrawal, by the PSP's certificate." },
  { name: "open-banking-flow", title: "Open-banking flow", about: "CCG token, consent, code, token, permissions." },
  { name: "gateways", title: "Gateways", about: "nginx, HAProxy, Caddy, Apache and others enforce tokens." },
  { name: "certificates", title: "Certificates", about: "What to send, each verdict, each warning and what to do." },
  { name: "passporting", title: "Passporting", about: "A PSP of one country, a customer of another." },
  { name: "errors", title: "Errors", about: "One form; what a program does with each." },
  { name: "rate-limits", title: "Rate limits", about: "What is left, when it comes back, how to stay within it." },
  { name: "evidence", title: "Evidence", about: "Signed answers, and what they prove years later." },
  { name: "events", title: "Events", about: "What changed of your PSPs: watch, ask, be notified." },
  { name: "going-live", title: "Going live", about: "For the operator: deploy, load, add the bank, watch." },
  { name: "from-1-6", title: "Moving from 1.6", about: "Each old name and what replaces it." },
  { name: "aggregators", title: "For aggregators", about: "Several banks, one credential." },
];

const EXAMPLES = join(import.meta.dirname, "../../docs/examples/gateways");
const FOLDER = join(import.meta.dirname, "guides");

/** As it is published: with the commands that all guides begin with. */
export async function readGuide({ name }: Guide): Promise<string> {
  const [text, setup] = await Promise.all([name, "setup"].map((file) => readFile(join(FOLDER, `${file}.md`), "utf8")));
  const whole = (text ?? "").replace("<!-- setup -->", () => setup ?? "");
  const parts = whole.split(/<!-- example ([\w.-]+) -->/);
  // what is shown is the file that the tests run
  const read = (file: string) => readFile(join(EXAMPLES, file), "utf8");
  return (
    await Promise.all(parts.map(async (part, i) => (i % 2 ? `\`\`\`conf\n${await read(part)}\`\`\`` : part)))
  ).join("");
}

export async function makeGuidePage(guide: Guide): Promise<string> {
  const markdown = (await readGuide(guide)).replace(/<!-- (\w+) -->/g, (_, table: string) => makeTable(table));
  const content = await new Marked({ renderer: RENDERER, gfm: true }).parse(markdown);
  const at = GUIDES.indexOf(guide);
  const [before, after] = [GUIDES[at - 1], GUIDES[at + 1]];
  return makePage(
    guide.title,
    html`${raw(content.replaceAll("<table>", TABLE).replaceAll("</table>", "</table></div>"))}
<p class="steps">${before && html`<a rel="prev" href="/docs/${before.name}">← ${before.title}</a>`} <span>${after && html`<a rel="next" href="/docs/${after.name}">${after.title} →</a>`}</span></p>`,
  );
}

/** A table that is too wide for a phone is scrolled. */
const TABLE = '<div class="table" tabindex="0" role="group" aria-label="Table"><table>';

const KINDS: Readonly<Record<string, readonly [string, string]>> = {
  sh: ["command", "Command"],
  conf: ["settings", "Settings"],
};

/** An answer differs from a command by its border and by its name; a wide block or table can be scrolled by the keyboard. */
const RENDERER = {
  code({ text, lang }: { text: string; lang?: string | undefined }): string {
    const [kind, name] = KINDS[lang ?? ""] ?? ["answer", "Answer"];
    return `<pre class="${kind}" tabindex="0" role="group" aria-label="${name}"><code>${escapeHtml(text)}</code></pre>\n`;
  },
  heading({ text, depth, tokens }: { text: string; depth: number; tokens: unknown[] }): string {
    const parsed = (this as unknown as { parser: { parseInline(tokens: unknown[]): string } }).parser;
    return `<h${depth} id="${slug(text)}">${parsed.parseInline(tokens)}</h${depth}>\n`;
  },
};

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** The codes of the PSP check as they are in the code: what a guide says of them cannot be out of date. */
function makeTable(name: string): string {
  if (name === "warnings")
    return list(
      Object.entries(WARNINGS).map(([code, meaning]) => [code, `${meaning}.`, CURES[code as keyof typeof WARNINGS]]),
    );
  if (name === "reasons")
    return list(
      Object.entries(REASONS).map(([code, { whose, meaning }]) => [
        code,
        `(${whose}) ${meaning}.`,
        CURES[code as keyof typeof REASONS],
      ]),
    );
  throw new Error(`no table of this name: ${name}`);
}

/** Written as HTML: the blank lines around it keep Markdown from reading it. */
const list = (entries: readonly (readonly [code: string, meaning: string, cure: string])[]): string =>
  `<dl class="codes">\n${entries.map(([code, meaning, cure]) => `<dt><code>${code}</code></dt><dd>${escapeHtml(meaning)} <span>${escapeHtml(cure)}</span></dd>`).join("\n")}\n</dl>`;
